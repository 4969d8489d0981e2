/** Checks that this release can read all rows that gates read, apart from policies. */
import { listUnreadableRules } from "../approvals/index.ts";
import { listUnreadableBudgets } from "../budgets/index.ts";
import { listUnreadablePrices } from "../costs/index.ts";
import { listUnreadableExceptions } from "../exceptions/index.ts";
import { listUnreadableHalts } from "../halts/index.ts";
import { listUnreadableConnections } from "../judges/index.ts";
import type { Database } from "../platform/db.ts";
import { inWorkspace } from "../platform/scope.ts";
import { listUnreadableAssignments } from "../policies/index.ts";
import { failure, listed, ok } from "./finding.ts";
import type { Finding } from "./schema.ts";

const LOOKS = [
  listUnreadableHalts,
  listUnreadableAssignments,
  listUnreadableBudgets,
  listUnreadableRules,
  listUnreadableExceptions,
  listUnreadableConnections,
  listUnreadablePrices,
] as const;

export async function unreadableRows({
  db,
  workspaceId,
}: {
  readonly db: Database;
  readonly workspaceId: string;
}): Promise<Finding> {
  const found = (await inWorkspace(workspaceId, () => Promise.all(LOOKS.map((look) => look(db, workspaceId))))).flat();
  if (found.length === 0) return ok("unreadable_rows", "All stored settings that gates use can be read.");
  const faults = found.map(({ thing, problem, effect }) => `${thing} (${problem}): ${effect}`);
  return failure(
    "unreadable_rows",
    `Stored settings cannot be read, so the calls that they gate are denied. ${listed(faults, 5)}.`,
    "Remove or save each setting again on its page. If an upgrade caused this, restore the former release with the backup from before the upgrade.",
  );
}
