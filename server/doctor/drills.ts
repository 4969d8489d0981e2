/** Checks that the hooks of agents were drilled lately, and that no call passed. */
import { DRILLED_WITHIN_DAYS } from "../agents/schema.ts";
import { newestByAgent } from "../drills/index.ts";
import type { Database } from "../platform/db.ts";
import { counted, listed, ok, warning } from "./finding.ts";
import { listAgentsWithValidKeys } from "./repository.ts";
import type { Finding } from "./schema.ts";

const DAYS = DRILLED_WITHIN_DAYS;
const DAY_MS = 86_400_000;

interface Looked {
  readonly db: Database;
  readonly workspaceId: string;
}

export async function drills({ db, workspaceId }: Looked, now: Date): Promise<Finding> {
  const [keyed, newest] = await Promise.all([
    listAgentsWithValidKeys(db.prisma, workspaceId, now),
    newestByAgent(db, workspaceId),
  ]);
  if (keyed.length === 0) return ok("drills", "No agent has a key to drill.");
  const failed = keyed.filter(({ id }) => newest.get(id)?.isHeld === false).map(({ name }) => name);
  if (failed.length > 0)
    return warning(
      "drills",
      `The last drill of ${listed(failed)} did not block every known-bad call.`,
      "Open the agent for details. Enrol its client again (quarterdeck enrol), then drill again (docs/drills.md).",
    );
  const after = now.getTime() - DAYS * DAY_MS;
  const undrilled = keyed.filter(({ id }) => (newest.get(id)?.reportedAt.getTime() ?? 0) < after);
  if (undrilled.length === 0) return ok("drills", `Every agent with a key was drilled in the last ${DAYS} days.`);
  const names = listed(undrilled.map(({ name }) => name));
  const all = counted(keyed.length, "agent");
  return ok("drills", `${undrilled.length} of ${all} with a key were not drilled in the last ${DAYS} days: ${names}.`);
}
