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
      `Figures are ${Math.round(behindMs / 1_000)} s behind what was recorded.`,
      "The jobs' process makes them: see whether it runs (Health), and read the server's log.",
    );
  const failures = await countFailures(db.pool, workspaceId);
  if (failures > 0)
    return failure(
      "projections",
      `${counted(failures, "record")} could not be counted, and ${failures === 1 ? "is" : "are"} in no figure.`,
      "The server's log names each with its reason; the table projection_failure holds them (docs/operations.md).",
    );
  const { last, different } = await lastChecks(db.pool, workspaceId);
  if (last === null)
    return ok("projections", "No day's figures were checked against the log yet; each is in the night after it.");
  if (different.length > 0) {
    const rows = different.reduce((sum, one) => sum + one.rows, 0);
    const days = listed(different.map(({ day }) => day));
    return failure(
      "projections",
      `${counted(rows, "row")} of figures ${rows === 1 ? "is" : "are"} not what the log gives: ${days}.`,
      `Run quarterdeck verify projections --month ${different[0]?.day.slice(0, 7)}, which names them, and audit verify, which says whether the log was altered (docs/operations.md).`,
    );
  }
  if (now.getTime() - Date.parse(last.day) > LATE_DAYS * DAY_MS)
    return warning(
      "projections",
      `Figures were last checked against the log for ${last.day}.`,
      "They are checked every night by the jobs' process; read the server's log.",
    );
  return ok("projections", `Figures are what the log gives, for each day checked up to ${last.day}.`);
}
