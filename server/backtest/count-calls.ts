/** Counts sampled records by call: one call may pass several gates, and has a record for each. Pure. */
import { selectHooksByLane } from "./reach.ts";
import type { SampleRow } from "./repository.ts";
import type { ImpactView } from "./schema.ts";
import type { Side } from "./side.ts";

type CallCounts = ImpactView["calls"];
type End = "denied" | "asked" | "unknown";

/** In the order of strictness, the strictest first. */
const ENDS: readonly End[] = ["denied", "asked", "unknown"];
const keyOf = ({ call, id }: SampleRow): string => call ?? id;

/** The calls of a sample, and those that reach the text. */
export function countSampledCalls(side: Side, sample: readonly SampleRow[]): Omit<CallCounts, End> {
  const tools = new Set(sample.flatMap(({ call }) => call ?? []));
  const reached = sample.filter((row) => selectHooksByLane(side, row).some(({ guards }) => guards.length > 0));
  const others = sample.filter(({ call }) => call === null).length;
  return { tools: tools.size, others, reached: new Set(reached.map(keyOf)).size };
}

/** Notes the end of each record, and counts each call under the strictest one. */
export function createEndsByCall() {
  const endByCall = new Map<string, End>();
  return {
    note(row: SampleRow, end: End): void {
      const known = endByCall.get(keyOf(row));
      if (known === undefined || ENDS.indexOf(end) < ENDS.indexOf(known)) endByCall.set(keyOf(row), end);
    },
    counts(): Pick<CallCounts, End> {
      const ends = [...endByCall.values()];
      const count = (end: End) => ends.filter((one) => one === end).length;
      return { denied: count("denied"), asked: count("asked"), unknown: count("unknown") };
    },
  };
}
