/** The door of docker-agent's files of hooks. It stands apart from the dialects: programs that run with an agent load no parser of YAML. */
export { checkHooks, controlEventsIn, type DropIn, listOf, readDropIn } from "./drop-in.ts";
export { dropInForm, NEWEST_PROFILE, releaseOf } from "./releases.ts";
