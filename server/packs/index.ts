export { packOf } from "./service.ts";
