export { post } from "./post.ts";
export { createWebhooks, list, save, type Webhooks } from "./service.ts";
export { inertText } from "./shapes.ts";
