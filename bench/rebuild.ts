/**
 * The figures of one day computed anew from its log and held against the stored ones, as the nightly check and the command do.
 *
 *     npm run bench rebuild [-- dispatches of the day]
 */
import { z } from "zod";
import { observed, promised } from "./fixtures/figures.ts";
import { filledServer } from "./fixtures/filled-server.ts";
import { ms } from "./fixtures/percentile.ts";
import { processorOf, processorsTaken, processorsText } from "./fixtures/process-tree.ts";

const DISPATCHES = 200_000;
const SECONDS_MAX = 60;

const daysView = z.object({ days: z.array(z.string()) });
const dayCheck = z.looseObject({
  state: z.string(),
  dispatches: z.number(),
  differing: z.number(),
  tables: z.array(z.unknown()),
  differences: z.array(z.unknown()),
});

/** True when a whole day is computed in time and nothing of it differs. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const dispatches = Number(args[0] ?? DISPATCHES);
  // Twice as many: a whole day of them lies between the first midnight and the next.
  const filled = await filledServer(2 * dispatches, dispatches);
  try {
    const { days } = daysView.parse(await filled.script.query("projections.days", {}));
    const day = days[1] ?? days[0] ?? "";
    const before = processorOf(filled.server.pid ?? 0);
    const startedMs = performance.now();
    const check = dayCheck.parse(await filled.script.query("projections.checkDay", { day }));
    const tookMs = performance.now() - startedMs;
    const taken = processorsTaken(before, processorOf(filled.server.pid ?? 0), tookMs / 1_000);
    observed("processors", processorsText(taken));
    if (check.differing > 0) console.log(JSON.stringify(check.differences.slice(0, 20), null, 1));
    const isEqual = promised(
      `figures of ${check.dispatches} dispatches`,
      "those that are stored",
      `${check.state}, ${check.differing} rows differ`,
      check.state === "equal",
    );
    const isFast = promised(
      `a day of ${dispatches}`,
      `under ${SECONDS_MAX} s`,
      `${ms(tookMs)} for ${check.dispatches} dispatches`,
      tookMs < SECONDS_MAX * 1_000 && check.dispatches >= dispatches * 0.99,
    );
    return isEqual && isFast;
  } finally {
    await filled.close();
  }
}
