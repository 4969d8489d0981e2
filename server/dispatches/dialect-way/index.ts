export { httpWay } from "./service.ts";
