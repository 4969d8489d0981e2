/** The read replica, as the process that was asked sees it. */
import type { Database } from "../platform/db.ts";
import { counted, failure, ok, warning } from "./finding.ts";
import type { Finding } from "./schema.ts";

export function readReplica({ replica }: Pick<Database, "replica">): Finding {
  if (replica === undefined)
    return ok("read_replica", "Pages read from the primary; DATABASE_READ_URL names no replica.");
  const { state, says, lagMs, fallbacks } = replica.status();
  if (state === "following" && lagMs !== null)
    return ok("read_replica", `Pages read from the replica, which was ${lagMs} ms behind when it was last looked at.`);
  if (state === "starting") return ok("read_replica", "The read replica is being looked at for the first time.");
  const instead = `The read replica is not used, and pages read from the primary (${counted(fallbacks, "read")} so far): ${says}`;
  if (state === "refused")
    return failure(
      "read_replica",
      instead,
      "Set DATABASE_READ_URL to a replica of DATABASE_URL's own database, or unset it.",
    );
  return warning(
    "read_replica",
    instead,
    "See that the replica runs and follows; nothing is lost meanwhile (docs/cluster.md).",
  );
}
