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
  const rows = await policies.listEffective(db.prisma, workspaceId, agentId);
  const members: EffectiveMember[] = [];
  let newest = 0;
  for (const { policy } of rows) {
    const revision = policy.revisions[0];
    if (!revision || members.some((member) => member.policyId === policy.id)) continue;
    const hooks = storedHooks.parse(revision.hooks);
    members.push({ policyId: policy.id, name: policy.name, number: revision.number, sha256: revision.sha256, hooks });
    newest = Math.max(
      newest,
      PROFILES.findIndex((profile) => profile === revision.profile),
    );
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
