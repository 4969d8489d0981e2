/** The hooks that asked about a request, as they are defined. */
import { compilePlan, type HooksConfig, PROFILES } from "@quarterdeck/hooks";
import type { Pool } from "../platform/db.ts";
import { sha256 } from "../platform/secrets.ts";
import { findRuleSource, type RuleSource } from "./repository.ts";
import type { ExceptedRule } from "./schema.ts";

export interface AskingRequest {
  readonly toolName: string;
  readonly peopleNeeded: number;
  readonly askedBy: readonly { readonly policy: string; readonly revision: number; readonly path: string }[];
}

/** The rules, or the reason why there can be no exception from them. */
export async function findRules(
  pool: Pool,
  workspaceId: string,
  { toolName, peopleNeeded, askedBy }: AskingRequest,
): Promise<ExceptedRule[] | string> {
  if (peopleNeeded > 1) return "A rule that needs two people takes no exception.";
  if (toolName === "" || askedBy.length === 0) return "No rule of a policy asked about a tool here.";
  const rules: ExceptedRule[] = [];
  for (const { policy, revision, path } of askedBy) {
    const source = await findRuleSource(pool, workspaceId, policy, revision);
    const identity = source && identityAt(source, path);
    if (!source || !identity) return `The rule of ${policy} that asked is not there any more.`;
    if (source.fourEyes) return `${policy} asks for four eyes, so nobody loosens it alone: change the policy instead.`;
    rules.push({ policyId: source.policyId, policy, revision, path, sha256: sha256(identity).toString("hex") });
  }
  return rules;
}

function identityAt({ profile, hooks }: RuleSource, path: string): string | null {
  const known = PROFILES.find((one) => one === profile);
  if (known === undefined) return null;
  // Holds: it was parsed before it was stored.
  const { plan } = compilePlan({ sources: [{ origin: {}, hooks: hooks as HooksConfig }], profile: known, kinds: [] });
  for (const { entries } of plan.lanes.values())
    for (const entry of entries) for (const hook of entry.hooks) if (hook.path === path) return hook.identity;
  return null;
}
