/** Checks that this release can use the workspace's own masking. */
import { readMasking, storedMaskings } from "../masking/index.ts";
import type { Database } from "../platform/db.ts";
import { inWorkspace } from "../platform/scope.ts";
import { failure, ok, warning } from "./finding.ts";
import type { Finding } from "./schema.ts";

interface Examined {
  readonly db: Pick<Database, "pool">;
  readonly workspaceId: string;
}

export async function masking({ db, workspaceId }: Examined): Promise<Finding> {
  const row = await inWorkspace(workspaceId, () => storedMaskings.find(db.pool, workspaceId));
  const { problem } = readMasking(row?.setting ?? null);
  if (problem !== null)
    return failure(
      "masking",
      `The workspace's own masking cannot be used, so every text is hidden before it is stored: ${problem}.`,
      "Save the masking again on Settings, Data lifecycle. If an upgrade caused this, restore the former release with the backup from before the upgrade.",
    );
  if (row !== null && row.asked !== null && readMasking(row.asked).problem !== null)
    return warning(
      "masking",
      "A request to mask less cannot be read, so no person can decide it. The present masking applies.",
      "Make the change again on Settings, Data lifecycle.",
    );
  return ok("masking", row === null ? "Only secrets are masked." : "The workspace's own masking applies.");
}
