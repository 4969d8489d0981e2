export { commandWay } from "./dialect-way/service.ts";
export { program } from "./service.ts";
