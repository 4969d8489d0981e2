/** Follow-ups, for other features. */
export { followUpConditions } from "./filter-sql.ts";
export { findMarks, followUpIdOf } from "./service.ts";
