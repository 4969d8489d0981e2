/** The public module for hooks blocks: schema, parsing, JSON schema for editors, placement. */
export {
  BUILTIN_NAMES,
  BUILTINS,
  type BuiltinFacts,
  type BuiltinName,
  builtinFacts,
  type RunLocation,
} from "./builtins.ts";
export { type AgentFlags, agentFlags, flagProblems, type UserSettings, withFlags } from "./flags.ts";
export * from "./hook.ts";
export { hooksJsonSchema } from "./json-schema.ts";
export { nativeHooks } from "./native-hooks.ts";
export { type ParsedHooks, parseHooks } from "./parse.ts";
export {
  type Equipment,
  everyHook,
  type PlacedHook,
  publishProblems,
  runsLast,
  runsOn,
} from "./placement.ts";
export { describeProblem, type Problem } from "./problem.ts";
export { REPEAT_ACTIONS, type RepeatRule } from "./repeat-rules.ts";
