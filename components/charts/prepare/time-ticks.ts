/**
 * Where a time axis is labelled: at round times of the viewer's day, at most `count` of them.
 */
import { viewerFormat } from "@/components/ui/format/zone";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  28 * DAY,
];

export interface TimeTicks {
  readonly ticks: readonly number[];
  readonly format: (at: number) => string;
}

/** Ticks among the starts of buckets. `offsetMs` is the viewer's distance from UTC, positive to the east. */
export function timeTicks(starts: readonly number[], stepMs: number, count: number, offsetMs: number): TimeTicks {
  const [first = 0, last = 0] = [starts[0], starts.at(-1)];
  const tickMs = STEPS.find((step) => step >= stepMs && (last - first) / step <= count) ?? 28 * DAY;
  const tickOf = (at: number) => Math.floor((at + offsetMs) / tickMs);
  // The first bucket at or after each round time.
  const ticks = starts.filter((at) => tickOf(at) !== tickOf(at - stepMs));
  return { ticks, format: tickMs >= DAY ? formatDay : (at) => formatClock(at, offsetMs) };
}

const DAY_FORMAT = viewerFormat({ day: "numeric", month: "short" });
const CLOCK_FORMAT = viewerFormat({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

const formatDay = (at: number): string => DAY_FORMAT.format(at);

/** At midnight the label is the day that begins. */
const formatClock = (at: number, offsetMs: number): string =>
  (at + offsetMs) % DAY === 0 ? formatDay(at) : CLOCK_FORMAT.format(at);
