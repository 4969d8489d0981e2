export { post } from "./post.ts";
export { createWebhooks, list } from "./service.ts";
export { inertText } from "./shapes.ts";
