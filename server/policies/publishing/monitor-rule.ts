/** A rule in monitor mode: it runs without effect until an instant. The other rules of its policy keep their effect. */
import { everyHook } from "@quarterdeck/hooks";
import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import { type MonitorRule, RULE_MONITORS_MAX } from "../assignments/monitored-rule-schema.ts";
import { type Authority, OWN, permitBinding } from "../binding/gate.ts";
import { ruleNameOf } from "../effective/rule-name.ts";
import * as policies from "../repository.ts";
import { readStoredPolicy } from "../text/stored-policy.ts";
import { requireMonitorEnd } from "./monitor-mode.ts";
import { activePolicyTransaction } from "./policy-transaction.ts";

/**
 * Monitors the rule until the instant; null enforces it now.
 *
 * Errors: `invalid_input` for a past or too distant instant, for a rule that no revision in force has, and beyond
 * `RULE_MONITORS_MAX` rules of the policy.
 */
export async function monitorRule(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: MonitorRule,
  authority: Authority = OWN,
): Promise<void> {
  const { workspaceId } = actor;
  const { policyId, event, hook, until } = input;
  const refuse = (says: string) => new AppError("invalid_input", undefined, { says });
  requireMonitorEnd(until);
  await activePolicyTransaction(db, bus, actor, async (tx) => {
    const policy = await policies.findForUpdate(tx, workspaceId, policyId);
    if (!policy) throw new AppError("policy_not_found");
    if (until !== null && !hasRule(policy, input))
      throw refuse(`No revision of ${policy.name} in force has a rule with this name on ${event}. Reload the page.`);
    const others = policy.monitors.filter((one) => one.until > new Date() && !isOf(one, input));
    if (until !== null && others.length >= RULE_MONITORS_MAX)
      throw refuse(`At most ${RULE_MONITORS_MAX} rules of a policy can be monitored. Enforce another one first.`);
    const weakens = until === null ? [] : [policy];
    const change = { kind: "monitor_rule", input, summary: summaryOf(policy.name, input), weakens } as const;
    const bound = await permitBinding(tx, actor, { ...change, enforces: [policy.live, policy.canary] }, authority);
    await policies.removeMonitor(bound, workspaceId, input);
    if (until !== null)
      await policies.insertMonitor(bound, workspaceId, { policyId, event, hook, until, monitoredBy: actor.name });
    await recordAudit(tx, actor, {
      ...{ kind: "rule_monitored", version: 1, by: actor.name, policy: policyId },
      ...{ event, rule: hook, until: until?.toISOString() ?? null },
    });
  });
}

const isOf = (one: { event: string; hook: string }, { event, hook }: MonitorRule) =>
  one.event === event && one.hook === hook;

function hasRule({ live, canary }: policies.PolicyRow, rule: MonitorRule): boolean {
  return [live, canary].some(
    (revision) =>
      revision !== null &&
      everyHook(readStoredPolicy(revision).hooks).some(({ event, hook }) => isOf(ruleNameOf(event, hook), rule)),
  );
}

function summaryOf(policy: string, { event, hook, until }: MonitorRule): string {
  const rule = `the rule ${JSON.stringify(hook)} on ${event} of ${policy}`;
  if (until === null) return `Enforces ${rule}.`;
  return `Only monitors ${rule}, until ${until.toISOString().slice(0, 16).replace("T", " ")} UTC: what it denies will run.`;
}
