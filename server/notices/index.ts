export { choices, countUnread, createNotices } from "./service.ts";
