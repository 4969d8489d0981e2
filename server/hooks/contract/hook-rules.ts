/** The rules for one hook that its schema cannot express: fields that belong together, and refusals of a profile. */
import { builtinFacts } from "./builtins.ts";
import type { EventContract, Profile } from "./events.ts";
import { HANDLER_TYPES, type HookDefinition, NATIVE_TYPES, ON_ERROR } from "./hook.ts";
import { evaluatorComplaint } from "./hook-placement.ts";
import { parseJudgeLabel } from "./judge-prompt.ts";
import { PROFILE_RULES, type ProfileRules } from "./profiles.ts";
import { serverNeedOf } from "./rules/server-need.ts";
import { UNREADABLE } from "./stored-hooks.ts";
import { truncateText } from "./truncate-text.ts";

const REQUIRED: Readonly<Record<string, readonly (readonly ["command" | "model" | "prompt" | "rules", string])[]>> = {
  command: [["command", "command is required for command hooks"]],
  builtin: [["command", "command must name the builtin to invoke"]],
  model: [
    ["model", "model is required for model hooks (e.g. 'openai/gpt-4o-mini')"],
    ["prompt", "prompt is required for model hooks"],
  ],
  rules: [["rules", "rules are required for hooks of type rules"]],
};

/** The problems of a hook, with docker-agent's messages. docker-agent would report the first. */
export function hookComplaints(hook: HookDefinition, profile: Profile): string[] {
  const rules = PROFILE_RULES[profile];
  const type = typeComplaints(hook, rules);
  const failure = failureComplaints(hook, rules);
  const evaluator = rules.checksPlacement ? (evaluatorComplaint(hook) ?? []) : [];
  const required = hook.type ? [] : ["type is required"];
  return rules.checksPlacement ? [failure, required, evaluator, type].flat() : [required, type, failure].flat();
}

/** The problems of the fields for the hook's type. */
function typeComplaints(hook: HookDefinition, rules: ProfileRules): string[] {
  const complaints: string[] = [];
  if (hook.type && !isKnownType(hook.type, rules)) {
    const supported = NATIVE_TYPES.filter((type) => isKnownType(type, rules)).map((type) => `'${type}'`);
    complaints.push(`unsupported hook type '${hook.type}' (supported: ${supported.join(", ")})`);
  }
  for (const [field, message] of REQUIRED[hook.type ?? ""] ?? []) if (!hook[field]) complaints.push(message);
  if (hook.run_on && !["command", "builtin", "rules"].includes(hook.type ?? "")) {
    complaints.push("run_on is only valid on command, builtin and rules hooks");
  }
  if (hook.rules && hook.type !== "rules") complaints.push("rules are only valid on hooks of type rules");
  const need = hook.type === "rules" && hook.run_on === "agent" ? serverNeedOf(hook.rules ?? []) : null;
  if (need !== null) complaints.push(`rules with ${need} run on the server, which knows it. Leave run_on out`);
  if (hook.network !== undefined && hook.type !== "command") complaints.push("network is only valid on command hooks");
  if (hook.judge !== undefined) complaints.push(...judgeComplaints(hook, hook.judge));
  return complaints;
}

const isKnownType = (type: string, { unknownHookTypes }: ProfileRules): boolean =>
  (HANDLER_TYPES as readonly string[]).includes(type) && !unknownHookTypes.includes(type);

/** The problems of a hook's failure settings. */
function failureComplaints(hook: HookDefinition, rules: ProfileRules): string[] {
  const complaints: string[] = [];
  if (rules.checksAtLoad) {
    if (hook.on_error && !(ON_ERROR as readonly string[]).includes(hook.on_error)) {
      complaints.push("on_error must be warn, ignore, or block");
    }
    if ((hook.timeout ?? 0) < 0) complaints.push("timeout must not be negative");
  }
  if (!rules.strictOutput && hook.strict_output !== undefined) {
    complaints.push("strict_output exists only in profile 2026-08");
  }
  return complaints;
}

function judgeComplaints({ type }: HookDefinition, label: string): string[] {
  if (type !== "model") return ["judge is only valid on model hooks"];
  return parseJudgeLabel(label)
    ? []
    : ['judge must be the name of a judge prompt and its revision, such as "shell-risk@3"'];
}

/**
 * The reason why a stored hook has lost its published meaning: its type, builtin or `on_error` is unknown, or the part that it
 * runs is missing.
 */
export function storedHookComplaint(hook: HookDefinition): string | null {
  const { type = "", command = "", on_error } = hook;
  if (type === UNREADABLE) return null;
  if (!(HANDLER_TYPES as readonly string[]).includes(type)) return `hook type "${truncateText(type, 40)}" is unknown`;
  const missing = REQUIRED[type]?.find(([field]) => !hook[field]);
  if (missing) return missing[1];
  const asked = type === "evaluator" ? evaluatorComplaint(hook) : undefined;
  if (asked !== undefined) return asked;
  if (type === "builtin" && !builtinFacts(command)) return `there is no builtin called "${truncateText(command, 40)}"`;
  if (on_error && !(ON_ERROR as readonly string[]).includes(on_error)) return "on_error must be warn, ignore, or block";
  return null;
}

/** True if a hook wants to block on an event that cannot block. The complaint belongs to the event, not to the hook. */
export function blocksInVain(hook: HookDefinition, contract: EventContract, profile: Profile): boolean {
  return PROFILE_RULES[profile].checksAtLoad && hook.on_error === "block" && !contract.canBlock;
}
