/**
 * The zod schemas for the hooks block of a policy. The form, the editor, the stored row and the engine all use them. config.ts has
 * the rules about combinations (a command hook needs a command), with their messages.
 */

import { z } from "zod";
import { evaluatorPolicy, routingPolicy } from "./evaluator-policies.ts";
import type { FlatEvent, ScopedEvent } from "./events.ts";
import { PROFILE_RULES, type Profile } from "./profiles.ts";
import type { ResolvedEvaluator } from "./resolved-evaluator.ts";
import { rules } from "./rules/schema.ts";
import { SHAPE_EXAMPLES } from "./shape-examples.ts";

/** docker-agent's hook types. A profile may not know all of them: see `unknownHookTypes` of PROFILE_RULES. */
export const NATIVE_TYPES = ["command", "builtin", "model", "evaluator"] as const;
export const HANDLER_TYPES = [...NATIVE_TYPES, "rules"] as const;
export const ON_ERROR = ["warn", "ignore", "block"] as const;
export type OnError = (typeof ON_ERROR)[number];

/**
 * The location where a command, builtin or rules hook runs. This key is Quarterdeck's own, like `network`, `ungrantable` and
 * `judge`. docker-agent does not know these keys, so the native export omits them.
 */
const RUN_ON = ["server", "agent"] as const;

/** The limits of one policy. A message reports each one that is exceeded. */
export const LIMITS = {
  hooksMax: 2_000,
  matcherCharsMax: 512,
  nameCharsMax: 200,
  commandCharsMax: 65_536,
  promptCharsMax: 262_144,
  argsMax: 256,
  envMax: 256,
  /** About 24 days, the maximum of a timer. */
  timeoutSecondsMax: 2_147_483,
} as const;

const wrongType = (what: string) => ({ error: `must be ${what}` });
const text = (charsMax: number) =>
  z.string(wrongType("a text")).max(charsMax, `must be at most ${charsMax} characters`);

/** The time limit of a hook without its own. */
export const DEFAULT_TIMEOUT_SECONDS = 60;

export const hookDefinition = z.strictObject({
  name: text(LIMITS.nameCharsMax).optional().meta({ description: "Display name." }),
  type: text(LIMITS.nameCharsMax).optional().meta({
    description: "Action: a shell command, a built-in check, a model judge, or rules on what a call does.",
    enum: HANDLER_TYPES,
  }),
  command: text(LIMITS.commandCharsMax)
    .optional()
    .meta({ description: "Shell text of a command hook, or the name of a builtin." }),
  args: z
    .array(text(LIMITS.commandCharsMax), wrongType("a list of texts"))
    .max(LIMITS.argsMax, `must have at most ${LIMITS.argsMax} entries`)
    .optional()
    .meta({ description: "Arguments of a builtin; command hooks ignore them." }),
  timeout: z
    .int(wrongType("a whole number of seconds"))
    .max(LIMITS.timeoutSecondsMax, `must be at most ${LIMITS.timeoutSecondsMax} seconds`)
    .optional()
    .meta({
      description: "Seconds before the hook is stopped and counts as failed. Default: 60.",
      minimum: 1,
      default: 60,
    }),
  env: z
    .record(
      z.string(),
      text(LIMITS.commandCharsMax),
      wrongType(`a mapping of names to texts, such as ${SHAPE_EXAMPLES.env}`),
    )
    .refine((env) => Object.keys(env).length <= LIMITS.envMax, `must have at most ${LIMITS.envMax} variables`)
    .optional()
    .meta({
      description:
        "Variables added for this hook. A value that is only a reference (env.NAME in dollar braces) is looked up.",
    }),
  working_dir: text(LIMITS.commandCharsMax)
    .optional()
    .meta({ description: "Where the hook runs; relative paths start at the agent's directory." }),
  on_error: text(LIMITS.nameCharsMax).optional().meta({
    description: "Effect of a failure on events that do not fail closed.",
    enum: ON_ERROR,
    default: "warn",
  }),
  model: text(LIMITS.nameCharsMax).optional().meta({ description: "provider/model of a model hook." }),
  prompt: text(LIMITS.promptCharsMax).optional().meta({ description: "Go template of a model hook's question." }),
  schema: text(LIMITS.nameCharsMax)
    .optional()
    .meta({ description: "How a model's reply is read.", examples: ["pre_tool_use_decision"] }),
  system_prompt: text(LIMITS.promptCharsMax)
    .optional()
    .meta({ description: "System message of a model hook. Replaces the built-in message." }),
  evaluator: text(LIMITS.nameCharsMax)
    .optional()
    .meta({ description: "The evaluator that an evaluator hook asks, by its name below `evaluators:`." }),
  evaluator_policy: evaluatorPolicy
    .optional()
    .meta({ description: "The verdicts of an evaluator hook on tool_guard." }),
  routing_policy: routingPolicy.optional().meta({ description: "The routes of an evaluator hook on a control event." }),
  rules: rules
    .optional()
    .meta({ description: "Conditions on what a call does, each with a verdict; the strictest that matches counts." }),
  strict_output: z
    .boolean(wrongType("true or false"))
    .optional()
    .meta({ description: "Fail the hook if its answer has parts that the event cannot use." }),
  run_on: z.enum(RUN_ON, wrongType("server or agent")).optional().meta({
    description:
      "Where a command, builtin or rules hook runs: on the server or on the agent's machine. A builtin has its own default.",
  }),
  network: z
    .boolean(wrongType("true or false"))
    .optional()
    .meta({ description: "Allow a command hook in the server's sandbox to use the network. Default: false." }),
  ungrantable: z
    .boolean(wrongType("true or false"))
    .optional()
    .meta({ description: "Do not allow exceptions from this rule." }),
  judge: text(LIMITS.nameCharsMax)
    .optional()
    .meta({
      description: "The judge prompt and revision of a model hook's text. Label only.",
      examples: ["shell-risk@3"],
    }),
});
/** A parsed hook. `resolved_evaluator` is not a key of the text: parsing a policy adds it to evaluator hooks. */
export type HookDefinition = z.infer<typeof hookDefinition> & {
  readonly resolved_evaluator?: ResolvedEvaluator | undefined;
};

const definitions = new Map<Profile, typeof hookDefinition>();

/** The schema of a hook, without keys that the profile does not know. */
export function hookDefinitionOf(profile: Profile): typeof hookDefinition {
  const known = definitions.get(profile);
  if (known) return known;
  const unknown = new Set(PROFILE_RULES[profile].unknownHookKeys);
  const shape = Object.fromEntries(Object.entries(hookDefinition.shape).filter(([key]) => !unknown.has(key)));
  const definition = z.strictObject(shape) as unknown as typeof hookDefinition; // holds: every key is optional, so each parsed value is a hook
  definitions.set(profile, definition);
  return definition;
}

export const matcherEntry = z.strictObject({
  matcher: text(LIMITS.matcherCharsMax)
    .optional()
    .meta({
      description: "RE2 pattern for the full tool name. Absent, empty or * selects every tool.",
      examples: ["shell|edit_file", "mcp__.*", "*"],
    }),
  preempt_yolo: z
    .boolean(wrongType("true or false"))
    .optional()
    .meta({ description: "Run before all other checks, even if the agent may skip questions." }),
  hooks: z.array(hookDefinition, wrongType("a list of hooks")).optional().meta({ description: "What to run." }),
});
export type MatcherEntry = z.infer<typeof matcherEntry>;

/** A parsed hooks block: event name to its entries. */
export type HooksConfig = { [E in ScopedEvent]?: MatcherEntry[] } & { [E in FlatEvent]?: HookDefinition[] };

/** The display name of a hook: its name, else its command, else its type. */
export function displayName(hook: HookDefinition): string {
  return hook.name || hook.command || hook.type || "";
}
