/** Reminds people of unanswered requests, and asks the next list: each step is an audit entry and a notice. */
import { appendAudit } from "../audit/record-audit.ts";
import type { Bus } from "../events/index.ts";
import type { Pool, PoolClient } from "../platform/db.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import { holdNotices } from "./notices-repository.ts";
import { inTransaction } from "./repository.ts";
import * as steps from "./steps-repository.ts";

/** Of one transaction. */
const TOGETHER_MAX = 500;

/**
 * Sends due reminders and escalations. Runs by the clock; an escalation takes effect by time, even without this notice.
 */
export async function takeSteps({ pool, bus }: { readonly pool: Pool; readonly bus: Bus }): Promise<void> {
  for (const workspaceId of await inInstallation(() => steps.listDueWorkspaces(pool)))
    await inWorkspace(workspaceId, async () => {
      for (;;) {
        const taken = await inTransaction(pool, (client) => takeSome(client, workspaceId));
        if (taken > 0) bus.tell(workspaceId, ["approvals", "audit"]);
        if (taken === 0) return;
      }
    });
}

async function takeSome(client: PoolClient, workspaceId: string): Promise<number> {
  const reminded = await steps.remindDue(client, workspaceId, TOGETHER_MAX);
  const escalated = await steps.escalateDue(client, workspaceId, TOGETHER_MAX);
  const named = ({ id, number }: steps.StepRow) => ({ approval: id, number });
  if (reminded.length > 0)
    await appendAudit(client, workspaceId, { kind: "approvals_reminded", version: 1, approvals: reminded.map(named) });
  if (escalated.length > 0)
    await appendAudit(client, workspaceId, {
      kind: "approvals_escalated",
      version: 1,
      approvals: escalated.map((row) => ({ ...named(row), to: row.to ?? "" })),
    });
  const ids = (rows: readonly steps.StepRow[]) => rows.map(({ id }) => id);
  await holdNotices(client, workspaceId, "approval.reminded", ids(reminded));
  await holdNotices(client, workspaceId, "approval.escalated", ids(escalated));
  return reminded.length + escalated.length;
}
