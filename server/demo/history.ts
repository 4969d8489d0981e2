/** A generated history: the sessions of a scripted agent in the 24 hours before it was created. */
import { fraction, identifier } from "./chance.ts";
import { type Fired, play } from "./play.ts";
import type { Scenario } from "./scenario.ts";

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
/** One slot in five stays empty, as days do. */
const IDLE_SHARE = 0.2;

export interface PastEvent extends Pick<Fired, "event" | "input"> {
  /** The same event is the same id, so that telling it twice stores it once. */
  readonly eventId: string;
  readonly occurredMs: number;
}

/** The events of `scenario`'s agent in the day before `untilMs`, in the order of each session. */
export function* history(scenario: Scenario, untilMs: number): Generator<PastEvent> {
  const everyMs = scenario.historyEveryMinutes * MINUTE_MS;
  const slots = Math.floor(DAY_MS / everyMs);
  for (let slot = 0; slot < slots; slot += 1) {
    const seed = `${scenario.agent} ${untilMs} ${slot}`;
    if (fraction(`${seed} idle`) < IDLE_SHARE) continue;
    const startMs = untilMs - DAY_MS + (slot + 0.5 * fraction(`${seed} start`)) * everyMs;
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
    yield { event, input, occurredMs, eventId: identifier(`${seed} event ${index}`) };
    index += 1;
  }
}
