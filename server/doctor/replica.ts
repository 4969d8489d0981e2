/** The read replica, as the process that was asked sees it. */
import type { Database } from "../platform/db.ts";
import { counted, failure, ok, warning } from "./finding.ts";
import type { Finding } from "./schema.ts";

export function readReplica({ replica }: Pick<Database, "replica">): Finding {
  if (replica === undefined)
    return ok("read_replica", "Pages read from the primary; DATABASE_READ_URL names no replica.");
  const { state, says, lagMs, fallbacks } = replica.status();
  if (state === "following" && lagMs !== null)
    return ok("read_replica", `Pages read from the replica, which was ${lagMs} ms behind at the last check.`);
  if (state === "starting") return ok("read_replica", "First check of the read replica is running.");
  const instead = `The read replica is not used, and pages read from the primary (${counted(fallbacks, "read")}): ${says}`;
  if (state === "refused")
    return failure(
      "read_replica",
      instead,
      "Set DATABASE_READ_URL to a replica of DATABASE_URL's own database, or unset it.",
    );
  return warning(
    "read_replica",
    instead,
    "Check that the replica runs and follows. No data is lost (docs/cluster.md).",
  );
}
