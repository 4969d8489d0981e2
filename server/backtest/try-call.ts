/** Runs one recorded call against two sets of hooks, and compares how it ends. */
import { isDeepStrictEqual } from "node:util";
import {
  type Dispatch,
  type DispatchReport,
  type EventName,
  type Executor,
  type HookDefinition,
  type HookInput,
  NEUTRAL,
  type Verdict,
  verdictOf,
} from "@quarterdeck/hooks";
import { hookInput } from "@quarterdeck/hooks/contract/input";
import type { Guard } from "@quarterdeck/hooks/contract/semantic-diff/guard";
import { compared, type Outcome } from "./compare-outcomes.ts";
import { type RecordedCall, selectHooksByLane } from "./reach.ts";
import type { Side } from "./side.ts";

export interface Contender extends Side {
  readonly executor: Executor;
}

export interface Attempt {
  readonly row: RecordedCall;
  /** Null if the input was dropped. Asked only where hooks have to run. */
  readonly textOf: () => Promise<string | null>;
  /** The reason why a hook is not run; null when it is. */
  readonly whyNotRun: (hook: HookDefinition) => string | null;
  /** The times of both sides, in milliseconds, if they cannot end differently; null if every hook has to run. */
  readonly ruleOut?: (input: HookInput) => Promise<{ readonly wasMs: number; readonly isMs: number } | null>;
  /** The rest of the dispatch, for this input. */
  readonly around?: (input: HookInput) => Pick<Dispatch, "asker" | "liftVerdict" | "signal">;
  /** The reason for an input that is gone. */
  readonly gone: string;
}

/** The two sides of a call whose hooks were run. */
export interface Sides {
  readonly input: HookInput;
  readonly text: string;
  readonly was: DispatchReport;
  readonly is: DispatchReport;
}

export type Tried =
  | { readonly kind: "unchanged"; readonly sides: Sides | null }
  | { readonly kind: "unknown"; readonly why: string; readonly sides: Sides | null }
  | { readonly kind: "changed"; readonly from: Verdict; readonly to: Verdict; readonly sides: Sides };

export async function tryCall(live: Contender, next: Contender, attempt: Attempt): Promise<Tried> {
  const { row } = attempt;
  const passes = { live: selectHooksByLane(live, row), next: selectHooksByLane(next, row) };
  // The same hooks say the same of the same input: nothing needs to be run to know that.
  if (live.profile === next.profile && areEqual(passes.live, passes.next)) return { kind: "unchanged", sides: null };
  const text = await attempt.textOf();
  const input = text === null ? null : inputIn(text);
  if (text === null || input === null) return { kind: "unknown", why: attempt.gone, sides: null };
  const ruledOut = (await attempt.ruleOut?.(input)) ?? null;
  if (ruledOut !== null) return { kind: "unchanged", sides: { input, text, ...nothingSaid(ruledOut) } };
  const was = await outcomeOf(live, passes.live, input, attempt);
  const is = await outcomeOf(next, passes.next, input, attempt);
  const sides = { input, text, was: was.report, is: is.report };
  return { ...compared(was, is, row.event as EventName), sides }; // holds: calls are read by the events of a text
}

const nothingSaid = ({ wasMs, isMs }: { readonly wasMs: number; readonly isMs: number }) => ({
  was: { ...NOTHING_RAN, durationMs: wasMs },
  is: { ...NOTHING_RAN, durationMs: isMs },
});

type Passes = ReturnType<typeof selectHooksByLane>;

async function outcomeOf(side: Contender, passes: Passes, input: HookInput, attempt: Attempt): Promise<Outcome> {
  const { row, whyNotRun, around } = attempt;
  const event = row.event as EventName; // holds: as above
  const left = passes.flatMap(({ guards }) => guards.filter(({ hook }) => whyNotRun(hook) !== null));
  const first = left[0];
  const reports: DispatchReport[] = [];
  for (const { lane, guards } of passes)
    if (guards.length > 0) reports.push(await side.executor.dispatch({ event, lane, input, ...around?.(input) }));
  const why = first ? whyNotRun(first.hook) : null;
  return { report: joined(reports, event), unrun: left.map(({ identity }: Guard) => identity), why };
}

const equality = new WeakMap<Passes, WeakMap<Passes, boolean>>();

/** True if both select the same hooks in the same order. Calls of a kind have the same passes, so the answer is kept. */
function areEqual(live: Passes, next: Passes): boolean {
  const byNext = equality.get(live) ?? new WeakMap<Passes, boolean>();
  equality.set(live, byNext);
  const known = byNext.get(next);
  if (known !== undefined) return known;
  const areSame = isDeepStrictEqual(identitiesOf(live), identitiesOf(next));
  byNext.set(next, areSame);
  return areSame;
}

const identitiesOf = (passes: Passes) => passes.flatMap(({ guards }) => guards.map(({ identity }) => identity));

const STRICT = { none: 0, allow: 1, ask: 2, deny: 3 } as const;

/** Merges the passes of one call into one report: the strictest verdict wins, and rewrites and additions are kept. */
function joined(reports: readonly DispatchReport[], event: EventName): DispatchReport {
  const [first = NOTHING_RAN, ...more] = reports;
  return more.reduce((whole, next) => {
    const isStricter = STRICT[verdictOf(next.result, event)] > STRICT[verdictOf(whole.result, event)];
    const [strict, other] = isStricter ? [next, whole] : [whole, next];
    const result: DispatchReport["result"] = {
      ...strict.result,
      modified_input: next.result.modified_input ?? whole.result.modified_input,
      additional_context: [whole, next]
        .map((one) => one.result.additional_context)
        .filter(Boolean)
        .join("\n"),
      metadata: strict.result.metadata ?? other.result.metadata,
    };
    const durationMs = whole.durationMs + next.durationMs;
    return { ...strict, result, hooks: [...whole.hooks, ...next.hooks], durationMs };
  }, first);
}

const NOTHING_RAN: DispatchReport = { result: NEUTRAL, hooks: [], durationMs: 0 };

/** Stored JSON is input: it was checked when it arrived, and is once more. */
function inputIn(text: string): HookInput | null {
  try {
    const value: unknown = JSON.parse(text);
    // Holds: the schema changes nothing, so what it accepts is of its type; its own copy would lose unusual names.
    return hookInput.safeParse(value).success ? (value as HookInput) : null;
  } catch {
    return null;
  }
}
