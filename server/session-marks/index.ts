/** Marks that rules set on sessions (docs/rules.md). */
export { createSessionMarks } from "./marks.ts";
export { listMarks, type MarkRow } from "./repository.ts";
