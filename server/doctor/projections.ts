/** Figures as the last nightly checks found them. */
import type { Database } from "../platform/db.ts";
import { lastChecks } from "../projections/index.ts";
import { countFailures, findLag } from "../projectors/index.ts";
import { counted, failure, listed, ok, warning } from "./finding.ts";
import type { Finding } from "./schema.ts";

const DAY_MS = 86_400_000;
/** A night that was missed is made up for in the next. */
const LATE_DAYS = 3;

/** From this lag on, a reader of a page notices it. */
const BEHIND_MS = 2_000;

export async function projections(db: Database, workspaceId: string, now: Date): Promise<Finding> {
  const behindMs = await findLag(db.pool, workspaceId);
  if (behindMs >= BEHIND_MS)
    return failure(
      "projections",
      `Figures are ${Math.round(behindMs / 1_000)} s behind the record.`,
      "Check that the jobs process runs (Health), and read the server's log.",
    );
  const failures = await countFailures(db.pool, workspaceId);
  if (failures > 0)
    return failure(
      "projections",
      `${counted(failures, "record")} could not be counted and ${failures === 1 ? "is" : "are"} missing in figures.`,
      "See the server's log for the reasons and the table projection_failure for the records (docs/operations.md).",
    );
  const { last, different } = await lastChecks(db.pool, workspaceId);
  if (last === null)
    return ok("projections", "No figures checked against the log yet. Each day is checked in the following night.");
  if (different.length > 0) {
    const rows = different.reduce((sum, one) => sum + one.rows, 0);
    const days = listed(different.map(({ day }) => day));
    return failure(
      "projections",
      `${counted(rows, "row")} of figures ${rows === 1 ? "differs" : "differ"} from the log: ${days}.`,
      `Run quarterdeck verify projections --month ${different[0]?.day.slice(0, 7)}to list them, and audit verify to check the log for changes (docs/operations.md).`,
    );
  }
  if (now.getTime() - Date.parse(last.day) > LATE_DAYS * DAY_MS)
    return warning(
      "projections",
      `Figures were last checked against the log for ${last.day}.`,
      "The jobs process checks them every night. Read the server's log.",
    );
  return ok("projections", `Figures match the log for each day checked up to ${last.day}.`);
}
