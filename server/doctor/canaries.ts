/** Checks that every canary with limits is compared with the other agents. */
import type { Database } from "../platform/db.ts";
import { listUncheckedCanaries } from "../policies/index.ts";
import { failure, listed, ok } from "./finding.ts";
import type { Finding } from "./schema.ts";

const LATE_MS = 120_000;

export async function canaries(
  { db, workspaceId }: { readonly db: Database; readonly workspaceId: string },
  now: Date,
): Promise<Finding> {
  const found = await listUncheckedCanaries(db.prisma, workspaceId, new Date(now.getTime() - LATE_MS));
  if (found.length === 0) return ok("canaries", "Every canary with limits is checked.");
  return failure(
    "canaries",
    `Limits of canaries are not checked: ${listed(found.map(({ name }) => name))}. They would not be withdrawn.`,
    "Check that the jobs process runs and read the server's log, or abandon the canary on the policy's page.",
  );
}
