/** The value that a rule compares, at one minute. Bounded: a window reads a few hundred rows of a rollup per agent. */
import type { Pool } from "../platform/db.ts";
import { rollupRangeOf } from "../recording/index.ts";
import { isRelative, type Reading, readingOf, relativeChange } from "./condition.ts";
import { COUNTS, type Gauges, NO_GAUGES } from "./counts.ts";
import { isCounted, measureOf } from "./measure-schema.ts";
import type { Condition } from "./schema.ts";
import { type Family, findSums } from "./sums-repository.ts";

const MINUTE = 60_000;

/** Every column that the measure uses. */
export function columnsOf(name: Condition["measure"]): string[] {
  const { sum, of = [], known } = measureOf(name);
  return [...new Set([...sum, ...of, ...(known?.part ?? []), ...(known?.of ?? [])])];
}

export async function measure(
  pool: Pool,
  workspaceId: string,
  rule: Condition,
  at: Date,
  gauges: Gauges = NO_GAUGES,
): Promise<Reading> {
  const { source } = measureOf(rule.measure);
  const spanMs = rule.windowMinutes * MINUTE;
  const since = new Date(at.getTime() - spanMs);
  if (isCounted(source)) return exactly(await COUNTS[source](pool, workspaceId, rule, { from: since, to: at }, gauges));
  const of = { family: familyOf(rule), columns: columnsOf(rule.measure), filters: rule };
  const over = async (from: Date, to: Date) =>
    readingOf(rule.measure, await findSums(pool, workspaceId, of, rollupRangeOf({ from, to })));
  const now = await over(since, at);
  return isRelative(rule) ? relativeChange(await over(new Date(since.getTime() - spanMs), since), now) : now;
}

/** The tables that hold the sums of a measure which is no count of its own. No rollup of dispatches names a person. */
export function familyOf(rule: Pick<Condition, "measure" | "personId" | "signOnGroupId">): Family {
  const { source, isOfDenials } = measureOf(rule.measure);
  if (source === "judge") return "judge";
  if (rule.personId === null && rule.signOnGroupId === null) return "rollup";
  return isOfDenials ? "denials" : "spend";
}

const exactly = (value: bigint | null): Reading => ({ value, coverage: null });
