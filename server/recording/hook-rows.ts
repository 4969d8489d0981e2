/** The outcomes of the hooks of one dispatch, each as one word with its time. Pure. */

import type { DispatchRecord } from "./dispatch-record.ts";
import { latencyBucket, NO_LATENCY } from "./latency.ts";
import { indexKeyText } from "./pg-text.ts";
import type { HookOutcomeWord, StoredHook } from "./schema.ts";

export interface HookRow {
  /** The key of its counts, in addition to workspace and time. */
  readonly key: string;
  /** Its position among the hooks of its dispatch. */
  readonly place: number;
  readonly policy: string;
  readonly revision: number;
  readonly event: string;
  readonly hook: string;
  readonly outcome: HookOutcomeWord;
  readonly latency: number;
  readonly isJudge: boolean;
  /** The dispatch's verdict is its word. */
  readonly isDeciding: boolean;
}

const NONE: readonly HookRow[] = [];
/** Policy, hook and event share an index row. */
export const HOOK_KEY_MAX = 128;
/** The version of this rule: the second counts failures that a profile lets pass apart from silence. */
export const HOOK_RULE_VERSION = 2;

export function toHookRows({ hooks, event, verdict }: DispatchRecord): readonly HookRow[] {
  if (hooks.length === 0) return NONE;
  const outcomes = hooks.map(outcomeOf);
  const deciding = decidingOf(outcomes, verdict);
  return hooks.map((hook, place) => {
    const outcome = outcomes[place] ?? "silent";
    const isMeasured = outcome !== "skipped" && outcome !== "canceled";
    const latency = isMeasured ? latencyBucket(hook.durationMs) : NO_LATENCY;
    const policy = indexKeyText(hook.policy, HOOK_KEY_MAX);
    const name = indexKeyText(hook.name, HOOK_KEY_MAX);
    return {
      key: `${policy}\0${event}\0${name}\0${outcome}\0${latency}`,
      place,
      policy,
      revision: hook.revision,
      event,
      hook: name,
      outcome,
      latency,
      isJudge: hook.judge !== undefined || hook.type === "model",
      isDeciding: place === deciding,
    };
  });
}

const SAID: ReadonlyMap<string, HookOutcomeWord> = new Map([
  ["deny", "denied"],
  ["block", "denied"],
  ["ask", "asked"],
  ["allow", "allowed"],
  ["nothing", "silent"],
]);

// The engine's sentences for the two failures with an own outcome (`failureText`).
const TIMED_OUT = /^hook "[\s\S]*" timed out after [^:]+: context deadline exceeded$/;
const CANCELED = /^hook "[\s\S]*" cancelled: context canceled$/;

function outcomeOf(hook: StoredHook): HookOutcomeWord {
  const { outcome, said, failure = "", judge } = hook;
  if (outcome === "skipped") return "skipped";
  if (outcome === "failed") {
    if (TIMED_OUT.test(failure) || judge?.cause === "timed_out") return "timed_out";
    return CANCELED.test(failure) ? "canceled" : "failed";
  }
  const word = SAID.get(said) ?? "acted";
  return word !== "denied" && word !== "asked" && isTolerated(hook) ? "tolerated" : word;
}

/** Also as an executor on another machine reports it: an exit code without a meaning, or an object that is plain text. */
function isTolerated({ outcome, tolerated, stdout }: StoredHook): boolean {
  return (
    tolerated !== undefined || outcome === "ignored" || (outcome === "spoke" && stdout.trimStart().startsWith("{"))
  );
}

const WORDS = { deny: "denied", ask: "asked", allow: "allowed", none: null } as const;
const FAILED: ReadonlySet<string> = new Set(["failed", "timed_out", "skipped", "canceled"]);

/** The first hook that gave this verdict; a denial without such a hook comes from a failure. */
function decidingOf(outcomes: readonly HookOutcomeWord[], verdict: DispatchRecord["verdict"]): number {
  const word = WORDS[verdict];
  const spoke = word === null ? -1 : outcomes.indexOf(word);
  return spoke >= 0 || verdict !== "deny" ? spoke : outcomes.findIndex((outcome) => FAILED.has(outcome));
}

/** True if the hook may be looked up individually: it gets its own row, and the others are only counted. */
export const isNotableHook = ({ outcome, isJudge }: HookRow): boolean =>
  outcome === "denied" ||
  outcome === "asked" ||
  outcome === "failed" ||
  outcome === "timed_out" ||
  (outcome === "allowed" && isJudge);
