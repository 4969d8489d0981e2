/** Counts the items that wait for a person, for the badges of the navigation. */
import type { Administrator } from "../../access/actor.ts";
import { countFleet } from "../../agents/index.ts";
import { summary } from "../../alerts/index.ts";
import { countAnswerable } from "../../approvals/index.ts";
import { type Installation, newestExamination } from "../../doctor/index.ts";
import { countUnread } from "../../notices/index.ts";
import type { Database } from "../../platform/db.ts";
import { countWaiting } from "../../reviews/index.ts";
import type { AttentionView } from "./schema.ts";

export async function counts(app: Installation, db: Database, actor: Administrator): Promise<AttentionView> {
  const { workspaceId } = actor;
  const [reviews, approvals, { firing }, agents, unreadNotices] = await Promise.all([
    countWaiting(db, actor),
    countAnswerable(db, actor),
    summary(db, workspaceId),
    countFleet(db, workspaceId, "needsAttention"),
    countUnread(db, actor),
  ]);
  const findings = newestExamination(app, db, workspaceId)?.findings;
  const count = (state: string) => findings?.filter((one) => one.state === state).length ?? 0;
  return {
    reviews,
    agents,
    approvals,
    unreadNotices,
    alerts: { firing: firing.length, isCritical: firing.some(({ severity }) => severity === "critical") },
    health: findings ? { failures: count("failure"), warnings: count("warning") } : null,
  };
}
