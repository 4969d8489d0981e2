/** A generated history: the sessions of a scripted agent in the seven days before it was created, with their verdicts. */
import type { LocalExecutorResult } from "../dispatches/schema.ts";
import { fraction, identifier } from "./chance.ts";
import type { Fired } from "./fired-event.ts";
import { gateResult } from "./gates.ts";
import { play } from "./play.ts";
import type { Scenario } from "./scenario.ts";

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
/** One slot in five stays empty, as days do. */
const IDLE_SHARE = 0.2;
const DAYS = 7;
/** The days before the last one have fewer sessions, so that the demo is ready within a minute. */
const OLDER_SPARSER = 4;

export interface PastEvent extends Pick<Fired, "event" | "input"> {
  /** The same event is the same id, so that telling it twice stores it once. */
  readonly eventId: string;
  readonly occurredMs: number;
  /** The result of the gates, of a call. */
  readonly local?: LocalExecutorResult;
}

/** The events of `scenario`'s agent in the week before `untilMs`, in the order of each session. */
export function* history(scenario: Scenario, untilMs: number): Generator<PastEvent> {
  const everyMs = scenario.historyEveryMinutes * MINUTE_MS;
  yield* sessions(scenario, untilMs, {
    fromMs: untilMs - DAYS * DAY_MS,
    days: DAYS - 1,
    everyMs: OLDER_SPARSER * everyMs,
  });
  yield* sessions(scenario, untilMs, { fromMs: untilMs - DAY_MS, days: 1, everyMs });
}

interface Span {
  readonly fromMs: number;
  readonly days: number;
  readonly everyMs: number;
}

function* sessions(scenario: Scenario, untilMs: number, { fromMs, days, everyMs }: Span): Generator<PastEvent> {
  const slots = Math.floor((days * DAY_MS) / everyMs);
  for (let slot = 0; slot < slots; slot += 1) {
    const seed = `${scenario.agent} ${fromMs} ${slot}`;
    if (fraction(`${seed} idle`) < IDLE_SHARE) continue;
    const startMs = fromMs + (slot + 0.5 * fraction(`${seed} start`)) * everyMs;
    yield* session(scenario, slot, seed, Math.round(startMs), untilMs);
  }
}

function* session(scenario: Scenario, slot: number, seed: string, startMs: number, untilMs: number) {
  const run = scenario.runs[slot % scenario.runs.length];
  if (!run) return;
  const playing = play(scenario, run, seed);
  let occurredMs = startMs;
  let index = 0;
  for (let next = playing.next(); !next.done; next = playing.next(next.value.expected)) {
    const { event, input, afterMs } = next.value;
    occurredMs += Math.max(1, afterMs);
    if (occurredMs >= untilMs) return;
    const local = gateResult(next.value);
    const eventId = identifier(`${seed} event ${index}`);
    yield { event, input, occurredMs, eventId, ...(local && { local }) };
    index += 1;
  }
}
