/** Checks that dispatches of the months to come have their partitions already. */
import type { Database } from "../platform/db.ts";
import { listMonthsAhead } from "../recording/index.ts";
import { ok, warning } from "./finding.ts";
import { listMissingTables } from "./repository.ts";
import type { Finding } from "./schema.ts";

export async function partitions(db: Database, now: Date): Promise<Finding> {
  const missing = await listMissingTables(
    db.pool,
    // The month after next is a reserve.
    listMonthsAhead(now.getTime(), 1).flatMap((month) =>
      ["dispatch", "chain_batch"].map((table) => `${table}_${month.replace("-", "_")}`),
    ),
  );
  if (missing.length === 0) return ok("partitions", "The partitions of this month and the next month exist.");
  return warning(
    "partitions",
    `Missing: ${missing.join(" and ")}. The first dispatch of a month creates its partition, and other dispatches wait for it.`,
    "Partitions are created within a minute of a start, then every hour. If one stays missing, read the server's log.",
  );
}
