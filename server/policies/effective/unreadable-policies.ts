/** The policies in force with parts that this release cannot read, and the gates that deny because of it. */
import type { EventName, Problem } from "@quarterdeck/hooks";
import type { Database } from "../../platform/db.ts";
import type { StoredFault } from "../../platform/stored-fault.ts";
import { listReaching } from "../assignments/reaching-repository.ts";
import { isEnforcedAt } from "../assignments/resolve-assignments.ts";
import { readRollout } from "../assignments/stored-assignment.ts";
import * as policies from "../repository.ts";
import { deniedGates, readRevision } from "../text/stored-policy.ts";

export interface UnreadablePolicy {
  readonly policyId: string;
  readonly policy: string;
  readonly revision: number;
  readonly gates: readonly EventName[];
  readonly problems: readonly Problem[];
  /** False while the policy is only observed: then it denies nothing. */
  readonly isEnforced: boolean;
}

export async function listUnreadablePolicies(db: Database, workspaceId: string): Promise<UnreadablePolicy[]> {
  const { assignments } = await listReaching(db.prisma, workspaceId, null);
  const byId = new Map(assignments.map(({ policy }) => [policy.id, policy]));
  const nowMs = Date.now();
  const enforced = new Set(assignments.flatMap(({ read, policy }) => (isEnforcedAt(read, nowMs) ? [policy.id] : [])));
  const wanted = [...byId.values()].flatMap((policy) => {
    const { liveRevision, canary } = readRollout(policy);
    return [...new Set([liveRevision, canary?.revision ?? 0])]
      .filter((number) => number !== 0)
      .map((number) => ({ policyId: policy.id, number }));
  });
  const found = await policies.listRevisionHooks(db.prisma, workspaceId, wanted);
  const rows = new Map(found.map((row) => [`${row.policyId} ${row.number}`, row]));
  return wanted.flatMap(({ policyId, number }): UnreadablePolicy[] => {
    const policy = byId.get(policyId);
    const read = readRevision(rows.get(`${policyId} ${number}`), number, policy && readRollout(policy).problem);
    if (read.problems.length === 0) return [];
    const gates = deniedGates(read);
    const isEnforced = enforced.has(policyId);
    return [{ policyId, policy: policy?.name ?? "", revision: number, gates, problems: read.problems, isEnforced }];
  });
}

/** The assignments that cannot be read, and the agents whose tags cannot. */
export async function listUnreadableAssignments(db: Database, workspaceId: string): Promise<StoredFault[]> {
  const { assignments, unreadableTags } = await listReaching(db.prisma, workspaceId, null);
  const applied = assignments.flatMap(({ policy, read }) =>
    read.problem === null
      ? []
      : [
          {
            thing: `an assignment of the policy "${policy.name}"`,
            problem: read.problem,
            effect: read.scope === "workspace" ? "it binds every agent" : "it is enforced",
          },
        ],
  );
  const tagged = unreadableTags.map((name) => ({
    thing: `the tags of the agent "${name}"`,
    problem: "they are no list of tags",
    effect: "every policy of a tag binds it",
  }));
  return [...applied, ...tagged];
}
