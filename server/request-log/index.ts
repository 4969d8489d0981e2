export { createRequestLog, type RequestLog } from "./service.ts";
