/**
 * The switches of an agent that add hooks, and the hooks that they add. docker-agent adds these to the written hooks when it
 * builds an agent. The agent file reader and the local executor do the same.
 */
import { z } from "zod";
import type { HookDefinition, HooksConfig, MatcherEntry } from "./hook.ts";
import { DEFAULT_PROFILE, PROFILE_RULES, type Profile } from "./profiles.ts";

/** The agent keys that are read. Other keys are ignored. */
export const agentFlags = z.looseObject({
  add_date: z.boolean().nullish(),
  add_environment_info: z.boolean().nullish(),
  add_prompt_files: z.array(z.string()).nullish(),
  /** The directory levels to list prompt files from; since profile 2026-11. */
  add_prompt_files_depth: z.number().nullish(),
  /** On by default. */
  redact_secrets: z.boolean().nullish(),
  toolsets: z.array(z.looseObject({ type: z.string().nullish(), safer: z.boolean().nullish() })).nullish(),
});
export type AgentFlags = z.infer<typeof agentFlags>;

/** The user's own settings, which are not part of the agent file. */
export interface UserSettings {
  readonly snapshot?: boolean | null | undefined;
}

const ANY_TOOL = "*";

/**
 * The hooks of an agent, including those that its switches add. Added hooks follow the written ones. The limiter of tool results,
 * which every agent has, goes first or last, depending on the profile. The given hooks are not changed.
 */
export function withFlags(
  hooks: HooksConfig,
  flags: AgentFlags,
  settings: UserSettings = {},
  profile: Profile = DEFAULT_PROFILE,
): HooksConfig {
  const isNewer = PROFILE_RULES[profile].flagHooks === "limiter_last";
  const limiter = builtin("limit_large_tool_results");
  const redact = flags.redact_secrets === false ? [] : [builtin("redact_secrets")];
  const safer = isNewer ? [] : (flags.toolsets ?? []).some(isSaferShell) ? [builtin("safer_shell")] : [];
  const snapshot = settings.snapshot ? [builtin("snapshot")] : [];
  const date = flags.add_date ? [builtin("add_date")] : [];
  const files = flags.add_prompt_files?.length ? [builtin("add_prompt_files", promptFileArgs(flags, isNewer))] : [];
  const environment = flags.add_environment_info ? [builtin("add_environment_info")] : [];

  const limiting = forAnyTool([limiter]);
  const redacting = forAnyTool(redact);
  const responses = hooks.tool_response_transform;
  const added: HooksConfig = {
    session_start: joined(hooks.session_start, environment, snapshot),
    turn_start: joined(hooks.turn_start, date, files, snapshot),
    before_llm_call: joined(hooks.before_llm_call, redact),
    turn_end: joined(hooks.turn_end, snapshot),
    session_end: joined(hooks.session_end, [limiter], snapshot),
    ...(isNewer
      ? { tool_input_transform: joined(hooks.tool_input_transform, redacting) }
      : { pre_tool_use: joined(hooks.pre_tool_use, redacting, forAnyTool(safer, { preempt_yolo: true })) }),
    tool_response_transform: isNewer ? joined(responses, redacting, limiting) : joined(limiting, responses, redacting),
  };
  const present = Object.entries(added).filter(([, entries]) => entries.length > 0);
  return { ...hooks, ...Object.fromEntries(present) };
}

/** The depth is the first argument if the profile supports it. */
function promptFileArgs({ add_prompt_files, add_prompt_files_depth }: AgentFlags, knowsDepth: boolean): string[] {
  const depth = add_prompt_files_depth ?? 0;
  return [...(knowsDepth && depth > 0 ? [`--depth=${depth}`] : []), ...(add_prompt_files ?? [])];
}

/** The problems that docker-agent reports about the switches, with their paths; empty if they are valid. */
export function flagProblems(
  flags: AgentFlags,
  profile: Profile = DEFAULT_PROFILE,
): { readonly at: readonly (string | number)[]; readonly message: string }[] {
  const isNewer = PROFILE_RULES[profile].flagHooks === "limiter_last";
  return (flags.toolsets ?? []).flatMap((toolset, index) => {
    const at = ["toolsets", index, "safer"];
    const isGiven = toolset.safer !== undefined && toolset.safer !== null;
    if (isNewer)
      return isGiven ? [{ at, message: "safer is no longer a key of a toolset: use a tool_guard hook" }] : [];
    return toolset.safer && toolset.type !== "shell"
      ? [{ at, message: "safer is only valid on toolsets of type shell" }]
      : [];
  });
}

function isSaferShell({
  type,
  safer,
}: {
  type?: string | null | undefined;
  safer?: boolean | null | undefined;
}): boolean {
  return safer === true && type === "shell";
}

function builtin(command: string, args?: readonly string[]): HookDefinition {
  return { type: "builtin", command, ...(args && { args: [...args] }) };
}

function forAnyTool(hooks: HookDefinition[], more: Pick<MatcherEntry, "preempt_yolo"> = {}): MatcherEntry[] {
  return hooks.length === 0 ? [] : [{ matcher: ANY_TOOL, ...more, hooks }];
}

function joined<T>(...lists: readonly (readonly T[] | undefined)[]): T[] {
  return lists.flatMap((list) => list ?? []);
}
