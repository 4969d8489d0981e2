/** The hooks that asked about a call, or denied it, as they are defined. */
import {
  compilePlan,
  type HooksConfig,
  isUngrantable,
  type Plan,
  type PlannedHook,
  PROFILES,
} from "@quarterdeck/hooks";
import type { Pool } from "../platform/db.ts";
import { sha256 } from "../platform/secrets.ts";
import { findRuleSource, type RuleSource } from "./repository.ts";
import { type ExceptedRule, HOOK_CHARS_MAX } from "./schema.ts";

export interface JudgedByRules {
  readonly toolName: string;
  readonly peopleNeeded: number;
  readonly askedBy: readonly { readonly policy: string; readonly revision: number; readonly path: string }[];
  /** When they did: a policy that has been made since under the same name is another one. */
  readonly askedAt: Date;
}

/** The rules, or the reason why there can be no exception from them. */
export async function findRules(
  pool: Pool,
  workspaceId: string,
  { toolName, peopleNeeded, askedBy, askedAt }: JudgedByRules,
): Promise<ExceptedRule[] | string> {
  if (peopleNeeded > 1) return "A rule that requires two people does not allow exceptions.";
  if (toolName === "" || askedBy.length === 0) return "No rule of a policy asked about a tool here.";
  const rules: ExceptedRule[] = [];
  for (const { policy, revision, path } of askedBy) {
    const source = await findRuleSource(pool, workspaceId, policy, revision, askedAt);
    const hook = source && hookAt(source, path);
    if (!source || !hook) return `The rule of ${policy} that asked or denied no longer exists.`;
    if (isUngrantable(hook))
      return `${policy} marks the rule at ${path} as ungrantable, so exceptions are not allowed. Change the policy instead.`;
    if (source.fourEyes)
      return `${policy} requires four eyes, so one person cannot loosen it. Change the policy instead.`;
    const name = hook.name.slice(0, HOOK_CHARS_MAX);
    rules.push({
      policyId: source.policyId,
      policy,
      revision,
      path,
      hook: name,
      sha256: sha256(hook.rule).toString("hex"),
    });
  }
  return rules;
}

/** Null for a profile that this release does not know. */
export function planOf({ profile, hooks }: Pick<RuleSource, "profile" | "hooks">): Plan | null {
  const known = PROFILES.find((one) => one === profile);
  if (known === undefined) return null;
  // Holds: it was parsed before it was stored.
  return compilePlan({ sources: [{ origin: {}, hooks: hooks as HooksConfig }], profile: known, kinds: [] }).plan;
}

function hookAt(source: RuleSource, path: string): PlannedHook | null {
  const plan = planOf(source);
  if (plan === null) return null;
  for (const { entries } of plan.lanes.values())
    for (const entry of entries) for (const hook of entry.hooks) if (hook.path === path) return hook;
  return null;
}
