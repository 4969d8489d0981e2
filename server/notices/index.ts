export { countUnread, createNotices } from "./service.ts";
