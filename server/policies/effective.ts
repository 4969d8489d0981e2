/** What governs one agent now: the concatenation of the enforced revisions assigned to it. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { type HooksConfig, PROFILES, type Profile } from "../hooks/index.ts";
import type { Database } from "../platform/db.ts";
import * as policies from "./repository.ts";

/** Stored hooks were parsed by `readPolicy` before they were stored; this checks that they are still a mapping. */
const storedHooks = z.record(z.string(), z.array(z.looseObject({}))).transform((hooks) => hooks as HooksConfig);

export interface EffectiveMember {
  readonly policyId: string;
  readonly name: string;
  readonly number: number;
  readonly sha256: string;
  readonly hooks: HooksConfig;
}
export interface EffectiveSet {
  /** Names this very set: 16 hex digits, "none" when nothing is assigned. */
  readonly revision: string;
  /** The newest profile any member names: the stricter reading binds all. */
  readonly profile: Profile;
  readonly members: readonly EffectiveMember[];
}

export async function effectiveSet(db: Database, workspaceId: string, agentId: string): Promise<EffectiveSet> {
  const members = membersOf(await policies.listEnforced(db.prisma, workspaceId, agentId));
  return setFor(members, agentId);
}

/** The same for many agents at once, in one query. */
export async function effectiveSets(db: Database, workspaceId: string): Promise<(agentId: string) => EffectiveSet> {
  const members = membersOf(await policies.listEnforced(db.prisma, workspaceId, null));
  return (agentId) => setFor(members, agentId);
}

interface Assigned extends EffectiveMember {
  readonly scope: string;
  readonly targetId: string | null;
  readonly position: number;
  readonly profile: string;
}

function membersOf(rows: readonly policies.EnforcedRow[]): Assigned[] {
  const parsed = new Map<string, HooksConfig>();
  return rows.flatMap(({ scope, targetId, position, policy }) => {
    const revision = policy.revisions[0];
    if (!revision) return [];
    const hooks = parsed.get(policy.id) ?? storedHooks.parse(revision.hooks);
    parsed.set(policy.id, hooks);
    const { number, sha256, profile } = revision;
    return [{ policyId: policy.id, name: policy.name, number, sha256, hooks, profile, scope, targetId, position }];
  });
}

const WIDEST_FIRST = ["workspace", "group", "agent"];

/** The workspace's policies, then the agent's own; each by position, then by age. One assigned twice counts once. */
function setFor(assigned: readonly Assigned[], agentId: string): EffectiveSet {
  const members: EffectiveMember[] = [];
  let newest = 0;
  const rank = (one: Assigned) => WIDEST_FIRST.indexOf(one.scope);
  const inOrder = assigned
    .filter((one) => one.targetId === null || one.targetId === agentId)
    .sort((a, b) => rank(a) - rank(b) || a.position - b.position || (a.policyId < b.policyId ? -1 : 1));
  for (const { policyId, name, number, sha256, hooks, profile } of inOrder) {
    if (members.some((member) => member.policyId === policyId)) continue;
    members.push({ policyId, name, number, sha256, hooks });
    const known: readonly string[] = PROFILES;
    newest = Math.max(newest, known.indexOf(profile));
  }
  const profile = PROFILES[newest] ?? PROFILES[0];
  return { revision: revisionOf(profile, members), profile, members };
}

function revisionOf(profile: Profile, members: readonly EffectiveMember[]): string {
  if (members.length === 0) return "none";
  const names = members.map((member) => `${member.policyId} ${member.number} ${member.sha256}`);
  return createHash("sha256")
    .update([profile, ...names].join("\n"))
    .digest("hex")
    .slice(0, 16);
}
