export { ALLOCATOR } from "./node-memory.ts";
export type { RoleProcess } from "./role-process.ts";
export { rememberWrites } from "./scans/calm.ts";
export type { Pacer } from "./scans/pacer.ts";
