export { CLIENT_IMPORTS } from "./service.ts";
