/** The wishes that a hook's text shows and that its event accepts, in the terms of the clients' capability tables. */
import type { BuiltinName } from "../builtins.ts";
import { CLIENT_ABILITIES, type ClientAbility } from "../client-known.ts";
import type { HookDefinition } from "../hook.ts";
import { parseRepeatRules } from "../repeat-rules.ts";
import { withoutComments } from "./outputs.ts";
import type { LintedEntry, LintedHook } from "./policy.ts";

export type Wish = ClientAbility | "context";
const WISHES: readonly Wish[] = [...CLIENT_ABILITIES, "context"];

/** The builtins with output. On an event that does not accept the output, they return nothing. */
const BUILTIN_WISHES: Partial<Record<BuiltinName, readonly Wish[]>> = {
  add_date: ["context"],
  add_environment_info: ["context"],
  add_prompt_files: ["context"],
  add_git_status: ["context"],
  add_git_diff: ["context"],
  add_directory_listing: ["context"],
  add_user_info: ["context"],
  add_recent_commits: ["context"],
  max_iterations: ["deny"],
  budget_guard: ["deny"],
  ask_a_person: ["deny"],
  redact_secrets: ["rewriteInput", "rewriteOutput"],
  limit_large_tool_results: ["rewriteOutput"],
  safer_shell: ["ask"],
};

const ENDS_RUN = /(?<![\w.])continue\\?["']?\s*:\s*false\b/;

/** The wishes of one hook, in the order of `WISHES`. */
export function wishesOf(linted: LintedHook): Wish[] {
  const { event } = linted.entry;
  const shown = ownWishes(linted);
  // After a tool call there is nothing to deny: a block ends the run.
  const meant = event === "post_tool_use" ? shown.map((wish) => (wish === "deny" ? "stop" : wish)) : shown;
  return WISHES.filter((wish) => meant.includes(wish) && isWishTaken(wish, linted.entry));
}

function ownWishes(linted: LintedHook): readonly Wish[] {
  const { hook } = linted;
  if (hook.type === "builtin") return builtinWishes(hook);
  return hook.type === "rules" ? rulesWishes(hook) : shownWishes(linted);
}

function rulesWishes({ rules = [] }: HookDefinition): readonly Wish[] {
  return [
    ...listIf<Wish>(
      rules.some(({ deny }) => deny !== undefined),
      "deny",
    ),
    ...listIf<Wish>(
      rules.some(({ ask }) => ask !== undefined),
      "ask",
    ),
  ];
}

function builtinWishes({ command: name, args = [] }: HookDefinition): readonly Wish[] {
  if (name === "repeat_guard") return guardWishes(args);
  // The cast holds: `hasOwn` has checked the name.
  return name !== undefined && Object.hasOwn(BUILTIN_WISHES, name) ? (BUILTIN_WISHES[name as BuiltinName] ?? []) : [];
}

/** The wishes from the actions of its rules. A halt denies at every gate; an alarm needs no wish. */
function guardWishes(args: readonly string[]): readonly Wish[] {
  const rules = parseRepeatRules(args);
  if (typeof rules === "string") return [];
  const actions = new Set(rules.map(({ action }) => action));
  const isDenied = actions.has("deny") || actions.has("halt") || actions.has("halt agent");
  return [...listIf<Wish>(isDenied, "deny"), ...listIf<Wish>(actions.has("ask"), "ask")];
}

function shownWishes({ hook, outputs, script }: LintedHook): Wish[] {
  const text = hook.type === "model" ? (hook.prompt ?? "") : withoutComments(script?.text ?? "");
  const decides = outputs.has("permission_decision");
  const isDenied = decides && (hook.type === "model" || /\bdeny\b/.test(text));
  return [
    ...listIf<Wish>(outputs.has("exit 2") || outputs.has("block") || isDenied, "deny"),
    ...listIf<Wish>(decides && /\bask\b/.test(text), "ask"),
    ...listIf<Wish>(outputs.has("updated_input") || outputs.has("updated_messages"), "rewriteInput"),
    ...listIf<Wish>(outputs.has("updated_tool_response"), "rewriteOutput"),
    ...listIf<Wish>(ENDS_RUN.test(text), "stop"),
    ...listIf<Wish>(outputs.has("additional_context"), "context"),
  ];
}

const listIf = <T>(isListed: boolean, item: T): T[] => (isListed ? [item] : []);

/** True if an event accepts a wish. Another rule reports the rest. */
function isWishTaken(wish: Wish, { event, contract }: Pick<LintedEntry, "event" | "contract">): boolean {
  const { canBlock, decides, approves, rewrites, addsContext } = contract;
  const taken: Record<Wish, boolean> = {
    deny: canBlock || decides || approves,
    ask: decides,
    rewriteInput: rewrites === "tool_input" || rewrites === "messages",
    rewriteOutput: rewrites === "tool_response",
    stop: decides || event === "post_tool_use",
    context: addsContext,
  };
  return taken[wish];
}
