/** A query on the read replica, and on the primary where the replica broke under it. */
import { asAppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";

/** PostgreSQL's error for a query whose rows the primary has cleaned up. */
const SQLSTATE_RECOVERY_CONFLICT = "40001";

interface Outcome {
  readonly ok: boolean;
  readonly error?: { readonly cause?: unknown } | undefined;
}

/** The result of `run` on the connections that the read is for. Queries alone are run so: they may run twice. */
export async function readFromReplica<Result extends Outcome>(
  db: Database,
  run: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { replica } = db;
  const pool = replica === undefined ? null : await replica.beginRead();
  if (replica === undefined || pool === null) return run(db);
  const result = await run({ ...db, pool });
  if (result.ok || !isBroken(result.error?.cause)) return result;
  replica.reportBroken();
  return run(db);
}

function isBroken(error: unknown): boolean {
  const isConflict = error instanceof Error && "code" in error && error.code === SQLSTATE_RECOVERY_CONFLICT;
  return isConflict || asAppError(error).code === "database_away";
}
