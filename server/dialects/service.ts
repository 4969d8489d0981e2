/** The door of the dialects: their names, their ways, and the vectors that hold them. */
export { runDialectVectors } from "./conformance.ts";
export type { Payload, Reading } from "./dialect.ts";
export { DIALECT_NAMES, type DialectName, detectDialect, dialectOf, isDialectName } from "./registry.ts";
