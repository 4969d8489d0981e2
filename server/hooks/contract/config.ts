/** Reads a hooks block. */
import type { Profile } from "./events.ts";
import type { HookDefinition, HooksConfig } from "./hook.ts";
import type { Problem } from "./problem.ts";

export * from "./hook.ts";
export { describeProblem, type Problem } from "./problem.ts";

export type ParsedHooks =
  | { readonly ok: true; readonly hooks: HooksConfig }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export function parseHooks(_value: unknown, _profile: Profile): ParsedHooks {
  throw new Error("not written yet");
}
/** JSON schema of a hooks block (the value below `hooks:`), for editors. */
export function hooksJsonSchema(_profile: Profile): Record<string, unknown> {
  throw new Error("not written yet");
}
/** Why a valid block cannot be published here: it names builtins or models this server does not have. */
export function publishProblems(
  _hooks: HooksConfig,
  _has: { builtins: readonly string[]; models: boolean },
): Problem[] {
  throw new Error("not written yet");
}
/** Where a hook runs. Model hooks always run on the server, where the credentials are. */
export function runsOn(_hook: HookDefinition): "server" | "agent" {
  throw new Error("not written yet");
}
/** The block as docker-agent knows it: without Quarterdeck's own keys. */
export function nativeHooks(_hooks: HooksConfig): HooksConfig {
  throw new Error("not written yet");
}
