/** The media types that the local executor and the console share. No zod here: the executor starts without it. */

/** A policy with each hook's origin. The version is part of the name. */
export const EXECUTOR_POLICY_TYPE = "application/vnd.quarterdeck.policy.v2+json";
/** A hook input with what was decided beside the agent: `{"input": {...}, "local": {...}}`. */
export const LOCAL_DISPATCH_TYPE = "application/vnd.quarterdeck.dispatch.v1+json";
