/** Adds up the counts of a backtest. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { EMPTY_TALLY, TALLY_LIMITS, type Tally } from "./tally-schema.ts";

/** Upper bounds of the buckets of added time, in microseconds. */
const BOUNDS_US = [0, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 1_000_000, 60_000_000];

export const bucketOf = (addedUs: number): string => String(BOUNDS_US.find((bound) => addedUs <= bound) ?? 60_000_000);

export const shortName = (name: string): string => truncateText(name, TALLY_LIMITS.name);

/** The sum of the parts that were added. */
export function createTally() {
  const sums = { unchanged: 0, looser: 0, stricter: 0, otherwise: 0, unread: 0, notKept: 0 };
  const judgeQuestions = { inForce: 0, candidate: 0 };
  const [unknown, unreadByTool, addedUs] = [createCounts(), createCounts(TALLY_LIMITS.tools), createCounts()];
  const addedByModel = createCounts(TALLY_LIMITS.models);
  const newRules = new Map<string, { caught: number; agents: Counts }>();
  return {
    add(part: Tally): void {
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += part[name]; // holds: its own keys
      judgeQuestions.inForce += part.judgeQuestions.inForce;
      judgeQuestions.candidate += part.judgeQuestions.candidate;
      addedByModel.add(part.judgeQuestions.addedByModel);
      unknown.add(part.unknown);
      unreadByTool.add(part.unreadByTool);
      addedUs.add(part.addedUs);
      for (const [rule, { caught, agents }] of Object.entries(part.newRules)) {
        const known = newRules.get(rule) ?? { caught: 0, agents: createCounts(TALLY_LIMITS.agents) };
        if (!newRules.has(rule) && newRules.size >= TALLY_LIMITS.rules) continue;
        newRules.set(rule, known);
        known.caught += caught;
        known.agents.add(agents);
      }
    },
    counts: (): Tally => ({
      ...{ ...sums, unknown: unknown.counts(), unreadByTool: unreadByTool.counts() },
      judgeQuestions: { ...judgeQuestions, addedByModel: addedByModel.counts() },
      addedUs: addedUs.counts(),
      newRules: Object.fromEntries(
        [...newRules].map(([rule, { caught, agents }]) => [rule, { caught, agents: agents.counts() }]),
      ),
    }),
  };
}

/** The counts of two parts of a run. */
export function addTallies(a: Tally, b: Tally): Tally {
  const sum = createTally();
  for (const part of [EMPTY_TALLY, a, b]) sum.add(part);
  return sum.counts();
}

type Counts = ReturnType<typeof createCounts>;

/** Counts by name. Beyond `namesMax` names, new names are left out. */
function createCounts(namesMax = Number.POSITIVE_INFINITY) {
  const sums = new Map<string, number>();
  return {
    add(more: Readonly<Partial<Record<string, number>>>): void {
      for (const name of Object.keys(more))
        if (sums.has(name) || sums.size < namesMax) sums.set(name, (sums.get(name) ?? 0) + (more[name] ?? 0));
    },
    counts: (): Record<string, number> => Object.fromEntries(sums),
  };
}

/** The upper bound of the bucket in which this share of the calls lies, in microseconds; null without calls. */
export function percentileUs(addedUs: Tally["addedUs"], share: number): number | null {
  const buckets = Object.entries(addedUs)
    .map(([bound, count]) => ({ bound: Number(bound), count }))
    .sort((a, b) => a.bound - b.bound);
  const all = buckets.reduce((sum, { count }) => sum + count, 0);
  let below = 0;
  for (const { bound, count } of buckets) {
    below += count;
    if (below >= all * share) return bound;
  }
  return null;
}
