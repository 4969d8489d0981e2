/** Moments to mark on a time chart, at their places along its axis. */
import type { TimeModel } from "@/components/charts/prepare/time-model";

export interface TimeMark {
  readonly at: Date;
  /** "Policy release-guard, revision 4 published by Ada". */
  readonly label: string;
}

export interface PlacedMark {
  /** The position in the plot, from 0 (left) to 1 (right). */
  readonly share: number;
  readonly marks: readonly TimeMark[];
}

/** Marks nearer to one another than this share of the axis become one. */
const NEAREST = 1 / 32;

/**
 * The marks within the model's buckets, in time order. Bars fill their bucket; a line's points are at bucket starts.
 */
export function placeMarks(model: TimeModel, marks: readonly TimeMark[], kind: "bars" | "lines"): PlacedMark[] {
  const first = model.buckets[0]?.at;
  if (first === undefined) return [];
  const widthMs = model.stepMs * Math.max(model.buckets.length - (kind === "bars" ? 0 : 1), 1);
  const endMs = first + model.stepMs * model.buckets.length;
  const within = marks.filter(({ at }) => at.getTime() >= first && at.getTime() < endMs);
  const groups: { share: number; marks: TimeMark[] }[] = [];
  for (const mark of within.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const share = Math.min((mark.at.getTime() - first) / widthMs, 1);
    const last = groups.at(-1);
    if (last && share - last.share < NEAREST) last.marks.push(mark);
    else groups.push({ share, marks: [mark] });
  }
  return groups;
}

/** The marks within one bucket. */
export const marksIn = (marks: readonly TimeMark[], at: number, stepMs: number): readonly TimeMark[] =>
  marks.filter((mark) => mark.at.getTime() >= at && mark.at.getTime() < at + stepMs);
