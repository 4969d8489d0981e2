/**
 * The public module for docker-agent's hook files. Separate from the dialects, so that programs that run with an agent do not load
 * a YAML parser.
 */
export { checkHooks, controlEventsIn, type DropIn, listOf, readDropIn } from "./drop-in.ts";
export { exportHooks, type LeftOutPart, type LostGate } from "./export.ts";
export { importProfile, saferShellNote } from "./import-profile.ts";
export {
  dropInForm,
  type ExportRelease,
  exportRelease,
  listReleases,
  NEWEST_PROFILE,
  releaseName,
  releaseOf,
  releaseTitle,
} from "./releases.ts";
