/** Checks that every policy in force can be read by this release. */
import type { Database } from "../platform/db.ts";
import { listUnreadablePolicies, type UnreadablePolicy } from "../policies/index.ts";
import { failure, listed, ok, warning } from "./finding.ts";
import type { Finding } from "./schema.ts";

const REMEDY =
  "Open the policy: correct its text and publish it, or roll back. If an upgrade caused this, restore the former release with the backup from before the upgrade.";

export async function unreadablePolicies({
  db,
  workspaceId,
}: {
  readonly db: Database;
  readonly workspaceId: string;
}): Promise<Finding> {
  const found = await listUnreadablePolicies(db, workspaceId);
  const enforced = found.filter(({ isEnforced }) => isEnforced);
  if (found.length === 0) return ok("unreadable_policies", "Every policy in force can be read.");
  if (enforced.length === 0)
    return warning("unreadable_policies", `Observed policies cannot be read: ${listed(found.map(problemOf))}.`, REMEDY);
  return failure(
    "unreadable_policies",
    `Policies in force cannot be read, so their gates deny: ${listed(enforced.map(deniedBy))}.`,
    REMEDY,
  );
}

function problemOf({ policy, revision, problems: [first, ...others] }: UnreadablePolicy): string {
  const more = others.length > 0 ? `, and ${others.length} more` : "";
  return `${policy} revision ${revision} (${first?.path ?? ""}: ${first?.message ?? ""}${more})`;
}

function deniedBy(found: UnreadablePolicy): string {
  const gates = found.gates.length > 0 ? `denies ${listed(found.gates)}` : "no gate affected";
  return `${problemOf(found)} ${gates}`;
}
