/** Runs recorded events against two texts, a few at once, and counts how they end. */

import { isDeepStrictEqual } from "node:util";
import {
  type DispatchReport,
  type EventName,
  type Executor,
  explainDispatch,
  type HookInput,
  NEUTRAL,
  verdictOf,
} from "@quarterdeck/hooks";
import { hookInput } from "@quarterdeck/hooks/contract/input";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { argumentExcerpt } from "../recording/index.ts";
import { compared, type Outcome } from "./compare-outcomes.ts";
import { selectHooksByLane } from "./reach.ts";
import type { SampleRow } from "./repository.ts";
import type { ChangedEvent, ImpactChange, ImpactView } from "./schema.ts";
import { type Side, whyNotRun } from "./side.ts";

export interface Contender extends Side {
  readonly executor: Executor;
}

export interface Measurement {
  readonly live: Contender;
  readonly next: Contender;
  readonly isContained: boolean;
  readonly sample: readonly SampleRow[];
  /** The stored input; null if it was dropped. */
  readonly inputOf: (row: SampleRow) => Promise<string | null>;
  /** Aborted at the time limit, or when the client is gone. */
  readonly signal: AbortSignal;
  readonly onDone: (done: number) => void;
}

type Counts = Pick<ImpactView, "unchanged" | "changes" | "unknown" | "notReached" | "commandsRun">;

/** The number of events run at once: few, because agents' hooks share the same capacity. */
const AT_ONCE = 4;
const EVENTS_SHOWN = 20;

export async function measured(asked: Measurement): Promise<Counts> {
  const changes = new Map<
    string,
    { from: ImpactChange["from"]; to: ImpactChange["to"]; count: number; alreadyDenied: number; byCall: Calls }
  >();
  const unknown = new Map<string, number>();
  let [unchanged, notReached, commandsRun, done] = [0, 0, 0, 0];
  const waiting = [...asked.sample];

  async function one(row: SampleRow): Promise<void> {
    if (asked.signal.aborted) {
      notReached += 1;
      return;
    }
    const tried = await tryOne(asked, row);
    commandsRun += tried.commandsRun;
    if (asked.signal.aborted) notReached += 1;
    else if (tried.kind === "unchanged") unchanged += 1;
    else if (tried.kind === "unknown") unknown.set(tried.why, (unknown.get(tried.why) ?? 0) + 1);
    else {
      const { from, to } = tried;
      const change = changes.get(`${from} ${to}`) ?? { from, to, count: 0, alreadyDenied: 0, byCall: new Map() };
      changes.set(`${from} ${to}`, change);
      change.count += 1;
      if (row.verdict === "deny") change.alreadyDenied += 1;
      addCall(change.byCall, shown(row, tried.input, tried.text, tried.reason));
    }
  }
  const work = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      await one(row);
      done += 1;
      asked.onDone(done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return {
    unchanged,
    notReached,
    commandsRun,
    changes: [...changes.values()]
      .map(({ byCall, ...change }) => newestFirst({ ...change, events: [...byCall.values()] }))
      .sort((a, b) => weight(b) - weight(a) || b.count - a.count),
    unknown: [...unknown].map(([why, count]) => ({ why, count })).sort((a, b) => b.count - a.count),
  };
}

type Calls = Map<string, ChangedEvent>;

/** Counts an equal call with the one before; the newest of them is shown. */
function addCall(byCall: Calls, event: ChangedEvent): void {
  const key = JSON.stringify([event.event, event.tool, event.excerpt]);
  const known = byCall.get(key);
  if (!known) {
    if (byCall.size < EVENTS_SHOWN) byCall.set(key, event);
    return;
  }
  const newest = event.occurredAt > known.occurredAt ? event : known;
  const alreadyDenied = known.alreadyDenied + event.alreadyDenied;
  byCall.set(key, { ...newest, count: known.count + 1, alreadyDenied });
}

const newestFirst = (change: ImpactChange): ImpactChange => ({
  ...change,
  events: [...change.events].sort((a, b) => b.occurredAt.getTime() - a.occurredAt.getTime() || (a.id < b.id ? 1 : -1)),
});

/** Changes that allow more come first, then those that deny more. */
const STRICTNESS = { none: 0, allow: 0, ask: 1, deny: 2 } as const;
const weight = ({ from, to }: Pick<ImpactChange, "from" | "to">): number => {
  const step = STRICTNESS[to] - STRICTNESS[from];
  return step < 0 ? 3 : step > 0 ? 2 : from !== to ? 1 : 0;
};

type Tried = { readonly commandsRun: number } & (
  | { readonly kind: "unchanged" }
  | { readonly kind: "unknown"; readonly why: string }
  | {
      readonly kind: "changed";
      readonly from: ImpactChange["from"];
      readonly to: ImpactChange["to"];
      readonly input: HookInput;
      readonly text: string;
      readonly reason: string;
    }
);

async function tryOne(asked: Measurement, row: SampleRow): Promise<Tried> {
  const { live, next, isContained, signal } = asked;
  const passes = { live: selectHooksByLane(live, row), next: selectHooksByLane(next, row) };
  // The same hooks say the same of the same input: nothing needs to be run to know that.
  if (live.profile === next.profile && isDeepStrictEqual(identitiesOf(passes.live), identitiesOf(passes.next)))
    return { kind: "unchanged", commandsRun: 0 };
  const text = await asked.inputOf(row);
  const input = text === null ? null : inputIn(text);
  if (text === null || input === null) return { kind: "unknown", why: "the recorded input is gone", commandsRun: 0 };
  const event = row.event as EventName; // holds: the sample was taken of events that a text names
  const outcomeOf = async (side: Contender, of: typeof passes.live): Promise<Outcome> => {
    const guards = of.flatMap((pass) => pass.guards);
    const left = guards.filter(({ hook }) => whyNotRun(hook, isContained) !== null);
    const first = left[0];
    const reports: DispatchReport[] = [];
    for (const { lane, guards } of of)
      if (guards.length > 0) reports.push(await side.executor.dispatch({ event, lane, input, signal }));
    const why = first ? whyNotRun(first.hook, isContained) : null;
    return { report: joined(reports, event), unrun: left.map(({ identity }) => identity), why };
  };
  const [was, is] = await Promise.all([outcomeOf(live, passes.live), outcomeOf(next, passes.next)]);
  const commandsRun = [was, is].reduce((sum, { report }) => sum + commandsIn(report), 0);
  const verdict = compared(was, is, event);
  return verdict.kind === "changed"
    ? { ...verdict, input, text, reason: explainDispatch(is.report), commandsRun }
    : { ...verdict, commandsRun };
}

const identitiesOf = (passes: ReturnType<typeof selectHooksByLane>) =>
  passes.flatMap(({ guards }) => guards.map(({ identity }) => identity));

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

const commandsIn = ({ hooks }: DispatchReport): number =>
  hooks.filter(({ type, exitCode }) => type === "command" && exitCode !== undefined).length;

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

const EXCERPT_CHARS = 240;

function shown(row: SampleRow, input: HookInput, text: string, reason: string): ChangedEvent {
  const { occurred_at: occurredAt, id, agent_name: agentName, event, tool_name: tool, is_decision: isDecision } = row;
  const beginning = argumentExcerpt(input.tool_input ?? {}) || truncateText(text, EXCERPT_CHARS);
  return {
    occurredAt,
    id,
    agentName,
    event,
    tool: tool ?? "",
    excerpt: beginning,
    isDecision,
    reason,
    count: 1,
    alreadyDenied: row.verdict === "deny" ? 1 : 0,
  };
}
