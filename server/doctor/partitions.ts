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
  if (missing.length === 0)
    return ok("partitions", "This month's dispatches and the next month's have their partitions.");
  return warning(
    "partitions",
    `Missing: ${missing.join(" and ")}. The first dispatch of such a month makes its partition, and the others wait for that.`,
    "It is made within a minute of a start and then every hour; when it stays missing, read the server's log.",
  );
}
