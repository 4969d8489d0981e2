/** Rules in monitor mode: they run without effect until an instant. */
import { z } from "zod";

/** The number of rules of one policy in monitor mode: each of them runs once more for a call. */
export const RULE_MONITORS_MAX = 20;

/** One hook of a policy at one event, by the name that dispatches use for it. */
export const ruleName = z.strictObject({
  event: z.string().min(1).max(64),
  hook: z.string().min(1).max(128),
});

export const monitorRule = z.strictObject({
  policyId: z.uuid(),
  ...ruleName.shape,
  /** When it is enforced, by itself; null for now. */
  until: z.date().nullable(),
});
export type MonitorRule = z.infer<typeof monitorRule>;

/** A rule in monitor mode. */
export const monitoredRuleView = ruleName.extend({ until: z.date(), since: z.date(), by: z.string() });
export type MonitoredRuleView = z.infer<typeof monitoredRuleView>;
