/**
 * The time a page speaks about, as text in the URL: `1h`, or `2026-11-21T08:00:00.000Z..2026-11-21T09:00:00.000Z`.
 * Pure, and the same on the server and in the browser, so that what one prefetched the other finds.
 */
import { dayRange } from "@/components/layout/time-range/day";
import { viewerFormat, viewerZone } from "@/components/ui/format/zone";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const presets = [
  { text: "15m", ms: 15 * MINUTE, stepMs: MINUTE, label: "Last 15 minutes", short: "15 m" },
  { text: "1h", ms: HOUR, stepMs: MINUTE, label: "Last hour", short: "1 h" },
  { text: "6h", ms: 6 * HOUR, stepMs: 5 * MINUTE, label: "Last 6 hours", short: "6 h" },
  { text: "24h", ms: DAY, stepMs: 15 * MINUTE, label: "Last 24 hours", short: "24 h" },
  { text: "7d", ms: 7 * DAY, stepMs: HOUR, label: "Last 7 days", short: "7 d" },
  { text: "30d", ms: 30 * DAY, stepMs: 6 * HOUR, label: "Last 30 days", short: "30 d" },
] as const;

/** Everything that was ever recorded, for pages that can answer it. Reports may run ten minutes ahead of the clock. */
export const allTime = {
  text: "all",
  from: new Date("2000-01-01T00:00:00Z"),
  stepMs: HOUR,
  label: "All time",
  short: "All",
};

/** A range's label inside a sentence: "last 24 hours", and "25 Nov 2026" as it is. */
export const labelInSentence = (label: string): string => label.replace(/^(Last|All) /, (word) => word.toLowerCase());

export type PresetText = (typeof presets)[number]["text"];

/** The range as the end of a sentence: "in the last hour", "on 29 Nov 2026", "from 29 Nov, 10:00 to 30 Nov, 08:00". */
export function duringWords({ text, label, isLive }: Pick<TimeRange, "text" | "label" | "isLive">): string {
  if (text === allTime.text) return "since the beginning";
  if (isLive) return `in the ${label.toLowerCase()}`;
  return label.includes(SPAN) ? `from ${label.replace(SPAN, " to ")}` : `on ${label}`;
}

const SPAN = " – ";

export interface TimeRange {
  readonly from: Date;
  /** For a live range the end of the running step: a little in the future, the same until the step is over. */
  readonly to: Date;
  /** The text in the URL. */
  readonly text: string;
  readonly label: string;
  /** Ends now and moves on; a custom range stands still. */
  readonly isLive: boolean;
}

export const defaultRange: PresetText = "24h";

/** The text that an address means: itself where it names a range of the page, else the fallback. */
export function knownText(text: string | null, fallback: PresetText = defaultRange, offersAll = false): string {
  if (text === null) return fallback;
  if (text === allTime.text) return offersAll ? text : fallback;
  return parseCustom(text) || presets.some((preset) => preset.text === text) ? text : fallback;
}

/** The step by which the range of a preset advances; null for a fixed range. */
export function stepOf(text: string): number | null {
  if (text === allTime.text) return allTime.stepMs;
  if (parseCustom(text)) return null;
  return presets.find((preset) => preset.text === text)?.stepMs ?? MINUTE;
}

/** The range of a text at this moment, or the fallback for an invalid text; `all` is valid only where it is offered. */
export function resolveRange(
  text: string | null,
  nowMs: number,
  fallback: PresetText = defaultRange,
  offersAll = false,
): TimeRange {
  const known = knownText(text, fallback, offersAll);
  if (known === allTime.text) {
    const to = new Date((Math.floor(nowMs / allTime.stepMs) + 2) * allTime.stepMs);
    return { from: allTime.from, to, text: known, label: allTime.label, isLive: true };
  }
  const custom = parseCustom(known);
  if (custom) return custom;
  const preset = presets.find((each) => each.text === known) ?? presets[3];
  const to = Math.ceil((nowMs + 1) / preset.stepMs) * preset.stepMs;
  return { from: new Date(to - preset.ms), to: new Date(to), text: preset.text, label: preset.label, isLive: true };
}

/** The text of a custom range; the earlier end first. */
export function customRangeText(a: Date, b: Date): string {
  const [from, to] = a <= b ? [a, b] : [b, a];
  return `${from.toISOString()}..${to.toISOString()}`;
}

/**
 * The text of the day of an instant, or of the day `daysBack` days earlier: midnight to midnight in the viewer's zone.
 */
export function dayRangeText(atMs: number, daysBack = 0): string {
  const { from, to } = dayRange(atMs, viewerZone(), daysBack);
  return customRangeText(from, to);
}

function parseCustom(text: string): TimeRange | null {
  const [first, second, more] = text.split("..");
  if (first === undefined || second === undefined || more !== undefined) return null;
  const [from, to] = [new Date(first), new Date(second)];
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime()) || from >= to) return null;
  return { from, to, text, label: customLabel(from, to), isLive: false };
}

const DAY_LABEL = viewerFormat({ day: "numeric", month: "short", year: "numeric" });
const DAY_AND_TIME = viewerFormat({
  ...({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const),
});

function customLabel(from: Date, to: Date): string {
  if (customRangeText(from, to) === dayRangeText(from.getTime())) return DAY_LABEL.format(from);
  return `${DAY_AND_TIME.format(from)}${SPAN}${DAY_AND_TIME.format(to)}`;
}
