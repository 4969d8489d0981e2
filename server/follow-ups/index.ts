/** Follow-ups, for other features. */
export { followUpConditions } from "./filter-sql.ts";
export { findMarks, findMember, followUpIdOf } from "./service.ts";
