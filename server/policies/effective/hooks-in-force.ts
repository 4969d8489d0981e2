/** Every hook that is enforced for at least one agent, with its policy and revision. */
import { displayName } from "@quarterdeck/hooks/contract/hook";
import { pathOf } from "@quarterdeck/hooks/contract/problem";
import { listGuards } from "@quarterdeck/hooks/contract/semantic-diff/guard";
import { AppError } from "../../errors/app-error.ts";
import type { Database } from "../../platform/db.ts";
import { listReaching } from "../assignments/reaching-repository.ts";
import { isEnforcedAt } from "../assignments/resolve-assignments.ts";
import * as policies from "../repository.ts";
import { readStoredPolicy, type StoredPolicy } from "../text/stored-policy.ts";
import { listMonitoredHooks, type RuleMonitor } from "./member.ts";

export interface HookInForce {
  readonly policyId: string;
  readonly policy: string;
  readonly revision: number;
  readonly event: string;
  /** The name that dispatches use for it. */
  readonly name: string;
  readonly type: string;
  readonly matcher: string | null;
  /** It belongs to the early lane. */
  readonly isEarly: boolean;
  /** When it is enforced; null if it is. */
  readonly monitoredUntil: Date | null;
}

export interface RevisionInForce {
  readonly policyId: string;
  readonly policy: string;
  readonly revision: number;
  readonly stored: StoredPolicy;
  readonly monitors: readonly RuleMonitor[];
}

/** The live revision of one policy, null before the first. Errors: `policy_not_found`. */
export async function findPolicyInForce(
  db: Database,
  workspaceId: string,
  policyId: string,
): Promise<{ readonly name: string; readonly inForce: StoredPolicy | null }> {
  const row = await policies.find(db.prisma, workspaceId, policyId);
  if (!row) throw new AppError("policy_not_found");
  return { name: row.name, inForce: row.live === null ? null : readStoredPolicy(row.live) };
}

/** Every revision that is enforced somewhere; of a policy with a canary, both revisions. */
export async function listRevisionsInForce(db: Database, workspaceId: string): Promise<RevisionInForce[]> {
  const { assignments } = await listReaching(db.prisma, workspaceId, null);
  const enforced = assignments.filter(({ read }) => isEnforcedAt(read, Date.now()));
  const byId = new Map(enforced.map(({ policy }) => [policy.id, policy]));
  const wanted = [...byId.values()].flatMap(({ id, liveRevision, canaryRevision }) =>
    [liveRevision, canaryRevision ?? 0].filter((number) => number > 0).map((number) => ({ policyId: id, number })),
  );
  const revisions = await policies.listRevisionHooks(db.prisma, workspaceId, wanted);
  return revisions.map(({ policyId, number, profile, hooks }) => ({
    policyId,
    policy: byId.get(policyId)?.name ?? "",
    revision: number,
    stored: readStoredPolicy({ profile, hooks }),
    monitors: byId.get(policyId)?.monitors ?? [],
  }));
}

/** The hooks of every revision that is enforced somewhere, also those that are only monitored. */
export async function hooksInForce(db: Database, workspaceId: string): Promise<HookInForce[]> {
  const nowMs = Date.now();
  return (await listRevisionsInForce(db, workspaceId)).flatMap(({ stored, monitors, ...from }) => {
    const monitored = listMonitoredHooks(stored.hooks, monitors, nowMs);
    const untilByPath = new Map(monitored.map(({ path, until }) => [path, new Date(until)]));
    return listGuards(stored.hooks).map(({ event, matcher, hook, preempt, place }) => ({
      ...from,
      event,
      name: displayName(hook),
      type: hook.type ?? "",
      matcher: matcher ?? null,
      isEarly: preempt,
      monitoredUntil: untilByPath.get(pathOf(["hooks", ...place])) ?? null,
    }));
  });
}
