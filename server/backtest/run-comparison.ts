/** Runs recorded events against two texts, a few at once, and counts how they end. */

import { type DispatchReport, explainDispatch, type HookInput } from "@quarterdeck/hooks";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { argumentExcerpt } from "../recording/index.ts";
import { createEndsByCall } from "./count-calls.ts";
import type { SampleRow } from "./repository.ts";
import type { ChangedEvent, ImpactChange, ImpactView } from "./schema.ts";
import { whyNotRun } from "./side.ts";
import { type Contender, type Tried, tryCall } from "./try-call.ts";

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

type Counts = Pick<ImpactView, "unchanged" | "changes" | "unknown" | "notReached" | "commandsRun"> & {
  readonly calls: ReturnType<ReturnType<typeof createEndsByCall>["counts"]>;
};

/** The number of events run at once: few, because agents' hooks share the same capacity. */
const AT_ONCE = 4;
const EVENTS_SHOWN = 20;

export async function measured(asked: Measurement): Promise<Counts> {
  const changes = new Map<
    string,
    { from: ImpactChange["from"]; to: ImpactChange["to"]; count: number; alreadyDenied: number; byCall: Calls }
  >();
  const unknown = new Map<string, number>();
  const ends = createEndsByCall();
  let [unchanged, notReached, commandsRun, done] = [0, 0, 0, 0];
  const waiting = [...asked.sample];

  async function one(row: SampleRow): Promise<void> {
    if (asked.signal.aborted) {
      notReached += 1;
      ends.note(row, "unknown");
      return;
    }
    const { tried, commandsRun: more } = await tryOne(asked, row);
    commandsRun += more;
    if (asked.signal.aborted || tried.kind === "unknown") ends.note(row, "unknown");
    if (asked.signal.aborted) notReached += 1;
    else if (tried.kind === "unchanged") unchanged += 1;
    else if (tried.kind === "unknown") unknown.set(tried.why, (unknown.get(tried.why) ?? 0) + 1);
    else {
      const { from, to, sides } = tried;
      if (to === "deny" || to === "ask") ends.note(row, to === "deny" ? "denied" : "asked");
      const change = changes.get(`${from} ${to}`) ?? { from, to, count: 0, alreadyDenied: 0, byCall: new Map() };
      changes.set(`${from} ${to}`, change);
      change.count += 1;
      if (row.verdict === "deny") change.alreadyDenied += 1;
      addCall(change.byCall, shown(row, sides.input, sides.text, explainDispatch(sides.is)));
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
    calls: ends.counts(),
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

/** The call's end, and the number of commands that it started. */
async function tryOne(asked: Measurement, row: SampleRow): Promise<{ tried: Tried; commandsRun: number }> {
  const { live, next, isContained, signal, inputOf } = asked;
  const tried = await tryCall(live, next, {
    row,
    textOf: () => inputOf(row),
    whyNotRun: (hook) => whyNotRun(hook, isContained),
    around: () => ({ signal }),
    gone: "the recorded input is gone",
  });
  const { sides } = tried;
  return { tried, commandsRun: sides === null ? 0 : commandsIn(sides.was) + commandsIn(sides.is) };
}

const commandsIn = ({ hooks }: DispatchReport): number =>
  hooks.filter(({ type, exitCode }) => type === "command" && exitCode !== undefined).length;

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
