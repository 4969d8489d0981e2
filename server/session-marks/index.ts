/** Marks that rules set on sessions (docs/rules.md). */
export { createSessionMarks } from "./marks.ts";
export { listMarks, listSetMarks, type MarkRow, type SetMark } from "./repository.ts";
