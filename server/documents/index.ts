/** The documents of the release. */
export { list, read } from "./service.ts";
