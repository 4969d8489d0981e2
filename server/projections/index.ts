export { noteFoldVersions } from "./fold-versions.ts";
export { createProjectionChecks } from "./nightly.ts";
export { sealLog } from "./seal-log.ts";
export { check, days, lastChecks } from "./service.ts";
