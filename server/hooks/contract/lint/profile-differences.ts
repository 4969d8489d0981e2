/** Finds parts of a policy that change their meaning in a later profile. Numbers refer to the difference list. */
import { builtinFacts, isLabelOnly } from "../builtins.ts";
import { contractOf, isEventName, PROFILES, type Profile } from "../events.ts";
import { mayOverlap } from "./matchers.ts";
import { withoutComments } from "./outputs.ts";
import type { LintedEntry, LintedHook, LintedPolicy } from "./policy.ts";
import type { Said } from "./rule.ts";

/** Every difference that is visible in the text. */
export function* listProfileDifferences(policy: LintedPolicy): Iterable<Said> {
  for (const linted of policy.hooks) {
    const { event } = linted.entry;
    // An event that exists in only one profile is an error in the other, which reports it.
    if (!PROFILES.every((profile) => isEventName(event, profile))) continue;
    yield* ofOne(linted, policy.profile);
  }
  yield* ofPairs(policy);
}

function* ofOne(linted: LintedHook, profile: Profile): Iterable<Said> {
  const { hook, entry, at, script } = linted;
  const { event, contract } = entry;
  const command = [...at, "command"];
  const labelsSince = hook.type === "builtin" ? builtinFacts(hook.command)?.labelsSince : undefined;
  if (labelsSince !== undefined && contract.decides && !isLabelOnly(hook.command, profile))
    yield {
      at: command,
      message: `the builtin ${hook.command} asks in ${profile} and only labels calls from ${labelsSince} on`,
    };
  const outputs = linted.outputs;
  const [older, newer] = [contractOf(event, "2026-07"), contractOf(event, "2026-08")];
  if (older.addsContext && !newer.addsContext && outputs.has("additional_context"))
    yield {
      at: hook.type === "model" ? [...at, "prompt"] : command,
      message: `context on ${event} is taken in 2026-07 and dropped in 2026-08`,
    };
  const stray = [...(script?.exits ?? [])].find((status) => status !== 0 && status !== 2);
  if (stray !== undefined) {
    const then = contract.failsClosed
      ? "denies"
      : hook.on_error === "block" && contract.canBlock
        ? "blocks"
        : "is a failure";
    yield {
      at: command,
      message: `exit ${stray} says nothing in 2026-07 and ${then} in 2026-08; exit 0 says nothing in both`,
    };
  }
  const word = /(?<![\w.])decision\\?["']?\s*:\s*\\?["']?(?!block\b)([a-z]\w*)/.exec(
    withoutComments(script?.text ?? ""),
  )?.[1];
  if (word !== undefined)
    yield {
      at: command,
      message: `decision "${word}" says nothing in 2026-07 and is a failure in 2026-08; only block is a decision`,
    };
  if (outputs.has("updated_input") && contract.rewrites === "tool_input")
    yield {
      at: command,
      message:
        "updated_input replaces all arguments in 2026-07 and is merged into them in 2026-08; return every argument",
    };
  if ((hook.timeout ?? 0) < 0)
    yield { at: [...at, "timeout"], message: "a negative timeout means 60 s in 2026-07 and is refused in 2026-08" };
  if (hook.on_error === "block" && !contract.canBlock)
    yield { at: [...at, "on_error"], message: `on_error: block on ${event} is read in 2026-07 and refused in 2026-08` };
}

/** Hooks that affect each other: rewriters of one payload, and hooks that differ only in fields that 2026-07 does not compare. */
function* ofPairs({ entries }: LintedPolicy): Iterable<Said> {
  const byEvent = new Map<string, LintedEntry[]>();
  for (const entry of entries) {
    const key = `${entry.event} ${entry.lane}`;
    byEvent.set(key, [...(byEvent.get(key) ?? []), entry]);
  }
  for (const group of byEvent.values()) {
    const hooks = group.flatMap((entry) => entry.hooks).slice(0, HOOKS_MAX);
    yield* rewriters(hooks);
    yield* alike(hooks);
  }
}

/** The number of pairs is quadratic; the first few hundred hooks of an event are enough. */
const HOOKS_MAX = 300;

function* rewriters(hooks: readonly LintedHook[]): Iterable<Said> {
  const rewriting = hooks.filter(isRewriting);
  for (const [index, later] of rewriting.entries()) {
    const earlier = rewriting.slice(0, index).find((one) => mayOverlap(one.entry.matcher, later.entry.matcher));
    if (!earlier) continue;
    const what =
      later.entry.contract.rewrites === "tool_input" ? "each sees the original arguments" : "the first rewrite wins";
    yield {
      at: later.at,
      message: `after another rewrite of the same ${WHAT[later.entry.contract.rewrites]}: in 2026-07 ${what}, in 2026-08 each works on what the one before left`,
    };
  }
}

const WHAT = { nothing: "", tool_input: "arguments", messages: "messages", tool_response: "answer" } as const;

function isRewriting(linted: LintedHook): boolean {
  const { rewrites } = linted.entry.contract;
  if (rewrites === "nothing") return false;
  if (linted.hook.type === "builtin")
    return /^(?:redact_secrets|limit_large_tool_results)$/.test(linted.hook.command ?? "");
  const field = (
    { tool_input: "updated_input", messages: "updated_messages", tool_response: "updated_tool_response" } as const
  )[rewrites];
  return linted.outputs.has(field);
}

function* alike(hooks: readonly LintedHook[]): Iterable<Said> {
  const seen = new Map<string, LintedHook>();
  for (const linted of hooks) {
    const { type = "", command = "", args = [] } = linted.hook;
    // docker-agent never reads rules: the export turns each rules hook into a command.
    if (type === "rules") continue;
    const key = JSON.stringify([type, command, args]);
    const first = seen.get(key);
    if (!first) {
      seen.set(key, linted);
      continue;
    }
    const differing = FIELDS.filter(
      (field) => JSON.stringify(first.hook[field]) !== JSON.stringify(linted.hook[field]),
    );
    if (differing.length === 0 || !mayOverlap(first.entry.matcher, linted.entry.matcher)) continue;
    yield {
      at: linted.at,
      message: `differs from an earlier hook only in ${differing.join(", ")}: docker-agent 2026-07 takes the two for one and runs the first`,
    };
  }
}

const FIELDS = [
  "name",
  "env",
  "timeout",
  "on_error",
  "working_dir",
  "model",
  "prompt",
  "schema",
  "strict_output",
] as const;
