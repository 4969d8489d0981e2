/** The door of the dialects: their names, their ways, and the vectors that hold them. */
export { CLIENT_ENROLMENTS, isEnrolledClient } from "./client-enrolments.ts";
export { runDialectVectors } from "./conformance.ts";
export type { Payload, Reading } from "./dialect.ts";
export {
  type EnrolmentFile,
  type EnrolmentOptions,
  enrolmentOptions,
  headerPath,
  type SettingsFormat,
} from "./enrolment.ts";
export { DIALECT_NAMES, type DialectName, detectDialect, dialectOf, isDialectName } from "./registry.ts";
