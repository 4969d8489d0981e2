export { createAlerts, save, summary } from "./service.ts";
