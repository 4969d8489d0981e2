/** The policies in force with parts that this release cannot read, and the gates that deny because of it. */
import type { EventName, Problem } from "@quarterdeck/hooks";
import type { Database } from "../platform/db.ts";
import * as policies from "./repository.ts";
import { deniedGates, readStoredPolicy } from "./stored-policy.ts";

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
  const { assignments } = await policies.listReaching(db.prisma, workspaceId, null);
  const byId = new Map(assignments.map(({ policy }) => [policy.id, policy]));
  const enforced = new Set(assignments.flatMap(({ mode, policy }) => (mode === "observe" ? [] : [policy.id])));
  const wanted = [...byId.values()].flatMap(({ id, liveRevision, canaryRevision }) =>
    [liveRevision, canaryRevision ?? 0].filter((number) => number > 0).map((number) => ({ policyId: id, number })),
  );
  const revisions = await policies.listRevisionHooks(db.prisma, workspaceId, wanted);
  return revisions.flatMap((row): UnreadablePolicy[] => {
    const read = readStoredPolicy(row);
    const { policyId, number: revision } = row;
    if (read.problems.length === 0) return [];
    const policy = byId.get(policyId)?.name ?? "";
    const isEnforced = enforced.has(policyId);
    return [{ policyId, policy, revision, gates: deniedGates(read), problems: read.problems, isEnforced }];
  });
}
