/** Checks that the record is still vouched for outside the database. */
import { relative } from "node:path";
import type { Database } from "../platform/db.ts";
import { type RecordKeeping, ROUNDS_MISSED, state } from "../record/index.ts";
import { counted, failure, ok, warning } from "./finding.ts";
import type { Finding } from "./schema.ts";

export interface Recorded {
  readonly db: Database;
  readonly workspaceId: string;
  readonly dataDir: string;
  readonly record: Pick<RecordKeeping, "checkpointer">;
}

export async function checkpoints({ db, workspaceId, dataDir, record }: Recorded, now: Date): Promise<Finding> {
  const { fault, lastCheckpoint, unvouched, lastEntryAt, checkpoints: asked } = await state(db, workspaceId, record);
  if (fault !== null)
    return failure("checkpoints", fault, "Check that the directory is writable, or run quarterdeck audit verify.");
  const webhook = lastCheckpoint?.webhook ?? null;
  if (webhook?.error)
    return failure(
      "checkpoints",
      `The webhook did not accept the newest checkpoint in ${counted(webhook.attempts, "attempt")}: ${webhook.error}`,
      "Check that it answers, or change it on the Audit page.",
    );
  const allowedMs = asked.seconds * 1_000 * ROUNDS_MISSED;
  const since = lastCheckpoint?.at ?? lastEntryAt;
  if (unvouched > 0 && since !== null && now.getTime() - new Date(since).getTime() > allowedMs)
    return failure(
      "checkpoints",
      `${counted(unvouched, "record entry is", "record entries are")} without a checkpoint, which is due every ${asked.seconds} seconds.`,
      "Read the server's log, and sign a checkpoint on the Audit page.",
    );
  const isBeside = !relative(dataDir, record.checkpointer.dir).startsWith("..");
  if (isBeside && asked.webhookUrl === null)
    return warning(
      "checkpoints",
      "Checkpoints are stored with the database. Store a copy elsewhere to detect truncation.",
      "Set QUARTERDECK_CHECKPOINT_DIR to another machine's storage, or a webhook on the Audit page.",
    );
  return ok("checkpoints", "Checkpoints are stored outside the database.");
}
