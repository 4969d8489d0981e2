/** The public module of the dialects: their names, their transports, and the vectors that test them. */
export type { Json } from "./client-effect.ts";
export { CLIENT_ENROLMENTS, isEnrolledClient } from "./client-enrolments.ts";
export { CLIENT_FILES, type ClientFiles, movedFolder, OPENCODE_PLUGINS, type SettingsFormat } from "./client-files.ts";
export { type ClientModel, clientModels } from "./client-models.ts";
export { CLIENT_TOOLS } from "./client-tools.ts";
export { type Delivered, type Delivery, runDialectVectors, type Way } from "./conformance.ts";
export type { Payload, Reading } from "./dialect.ts";
export { gateAddress } from "./docker-agent/gate-address.ts";
export { eventsOfLaterVersions, listEnforcement, newerVersionNeeded } from "./enforcement.ts";
export {
  type EnrolmentFile,
  type EnrolmentOptions,
  enrolmentOptions,
  headerPath,
  isOwnFile,
  isOwnReceiver,
  ownPath,
  relayFiles,
} from "./enrolment.ts";
export { type AskedInDialect, failureBody, type MisreadGate, misreadGate, misreadInput } from "./failure.ts";
export { knownClient } from "./known-client.ts";
export { clientMatrix } from "./matrix.ts";
export { noticeOf } from "./notice.ts";
export { DIALECT_NAMES, type DialectName, detectDialect, dialectOf, isDialectName } from "./registry.ts";
export { KEY_LINES, OWN_PROGRAMS, questionLines, ROUTE_LINE } from "./relay/question-lines.ts";
export { CALL_UNCHANGEABLE } from "./ruling.ts";
export { shellInstaller, shellInstallerChecksum } from "./shell-installer.ts";
export { passStages, refuses, type Stage, type StageJudge, stagesBefore } from "./stages.ts";
