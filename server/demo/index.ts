export { startDemo } from "./service.ts";
