export { createDeviceLogins } from "./service.ts";
