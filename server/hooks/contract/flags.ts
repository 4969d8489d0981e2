/**
 * The switches of an agent that stand for hooks, and the hooks they stand for. docker-agent adds them to what a person
 * wrote when it builds an agent; reading an agent file and running hooks beside an agent do the same.
 */
import { z } from "zod";
import type { HookDefinition, HooksConfig, MatcherEntry } from "./hook.ts";

/** The keys that are read of an agent. Its other keys are not our business. */
export const agentFlags = z.looseObject({
  add_date: z.boolean().nullish(),
  add_environment_info: z.boolean().nullish(),
  add_prompt_files: z.array(z.string()).nullish(),
  /** On unless it is false. */
  redact_secrets: z.boolean().nullish(),
  toolsets: z.array(z.looseObject({ type: z.string().nullish(), safer: z.boolean().nullish() })).nullish(),
});
export type AgentFlags = z.infer<typeof agentFlags>;

/** The user's own settings, beside the agent. */
export interface UserSettings {
  readonly snapshot?: boolean | null | undefined;
}

const ANY_TOOL = "*";

/**
 * The hooks of an agent with those its switches add: behind the written ones, except the limiter of tool answers, which
 * every agent has and which stands in front. The given hooks are not changed.
 */
export function withFlags(hooks: HooksConfig, flags: AgentFlags, settings: UserSettings = {}): HooksConfig {
  const limiter = builtin("limit_large_tool_results");
  const redact = flags.redact_secrets === false ? [] : [builtin("redact_secrets")];
  const safer = (flags.toolsets ?? []).some(isSaferShell) ? [builtin("safer_shell")] : [];
  const snapshot = settings.snapshot ? [builtin("snapshot")] : [];
  const date = flags.add_date ? [builtin("add_date")] : [];
  const files = flags.add_prompt_files?.length ? [builtin("add_prompt_files", flags.add_prompt_files)] : [];
  const environment = flags.add_environment_info ? [builtin("add_environment_info")] : [];

  const added: HooksConfig = {
    session_start: joined(hooks.session_start, environment, snapshot),
    turn_start: joined(hooks.turn_start, date, files, snapshot),
    before_llm_call: joined(hooks.before_llm_call, redact),
    turn_end: joined(hooks.turn_end, snapshot),
    session_end: joined(hooks.session_end, [limiter], snapshot),
    pre_tool_use: joined(hooks.pre_tool_use, forAnyTool(redact), forAnyTool(safer, { preempt_yolo: true })),
    tool_response_transform: joined(forAnyTool([limiter]), hooks.tool_response_transform, forAnyTool(redact)),
  };
  const present = Object.entries(added).filter(([, entries]) => entries.length > 0);
  return { ...hooks, ...Object.fromEntries(present) };
}

/** The problems that docker-agent reports about the switches, in their places; none when they can be used. */
export function flagProblems(
  flags: AgentFlags,
): { readonly at: readonly (string | number)[]; readonly message: string }[] {
  return (flags.toolsets ?? []).flatMap((toolset, index) =>
    toolset.safer && toolset.type !== "shell"
      ? [{ at: ["toolsets", index, "safer"], message: "safer is only valid on toolsets of type shell" }]
      : [],
  );
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
