/** The rules that records name, as their revisions defined them: each revision is read and compiled once. */
import { type Plan, type PlannedHook, selectHooks } from "@quarterdeck/hooks";
import type { Pool } from "../platform/db.ts";
import { planOf } from "./find-rules.ts";
import { findRuleSource, type RuleSource } from "./repository.ts";

/** A hook of a policy that judged a tool, as a record names it. */
export interface RuleRef {
  readonly policy: string;
  readonly revision: number;
  readonly path: string;
}

export interface RecordedRule {
  readonly policyId: string;
  readonly profile: Plan["profile"];
  /**
   * The hook, including equal hooks of its policy that it ran for. The record does not hold equal hooks of other
   * policies.
   */
  readonly hook: PlannedHook;
}

/** Null for a rule that no longer exists: its policy is gone, or another policy has its name. */
export type FindRecordedRule = (rule: RuleRef, toolName: string, judgedAt: Date) => Promise<RecordedRule | null>;

/** Finds any revision: its age is compared with each record. */
const ANY_TIME = new Date("2100-01-01T00:00:00Z");

export function createRecordedRules(pool: Pool, workspaceId: string): FindRecordedRule {
  const known = new Map<string, Promise<{ readonly source: RuleSource; readonly plan: Plan } | null>>();

  async function read({ policy, revision }: RuleRef) {
    const source = await findRuleSource(pool, workspaceId, policy, revision, ANY_TIME);
    const plan = source && planOf(source);
    return source && plan ? { source, plan } : null;
  }

  return async (rule, toolName, judgedAt) => {
    const key = `${rule.revision} ${rule.policy}`;
    const reading = known.get(key) ?? read(rule);
    known.set(key, reading);
    const found = await reading;
    if (found === null || found.source.createdAt > judgedAt) return null;
    for (const lane of found.plan.lanes.values()) {
      const hook = selectHooks(lane, toolName).find(({ path }) => path === rule.path);
      if (hook) return { policyId: found.source.policyId, profile: found.plan.profile, hook };
    }
    return null;
  };
}
