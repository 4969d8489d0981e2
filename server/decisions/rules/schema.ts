import { z } from "zod";
import { HOOK_OUTCOMES } from "../../recording/schema.ts";

/** Years that PostgreSQL and ISO 8601 both write with four digits. */
const instant = z.date().min(new Date("2000-01-01T00:00:00Z")).max(new Date("2100-01-01T00:00:00Z"));
const endsAfter = ({ from, to }: { from: Date; to: Date }) => from < to;
const ENDS_AFTER = "The range must end after it starts.";

export const ruleRange = z.strictObject({ from: instant, to: instant }).refine(endsAfter, ENDS_AFTER);
export type RuleRange = z.infer<typeof ruleRange>;

/** A rule is one hook of a policy at one event, by the name that dispatches call it. */
export const ruleKey = z.strictObject({
  policy: z.string().max(128),
  event: z.string().max(64),
  hook: z.string().max(128),
});
export type RuleKey = z.infer<typeof ruleKey>;

/** The key as text in a URL. */
export const ruleKeyText = ({ policy, event, hook }: RuleKey): string => JSON.stringify([policy, event, hook]);

/** The rule key in a text; null without one. */
export function parseRuleKey(text: string | null): RuleKey | null {
  try {
    const [policy, event, hook] = z
      .array(z.string())
      .length(3)
      .parse(JSON.parse(text ?? ""));
    const parsed = ruleKey.safeParse({ policy, event, hook });
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export const ruleDetailInput = z
  .strictObject({ from: instant, to: instant, rule: ruleKey })
  .refine(endsAfter, ENDS_AFTER);
export type RuleDetailInput = z.infer<typeof ruleDetailInput>;

const outcomes = z.record(z.enum(HOOK_OUTCOMES), z.number());
/** Milliseconds, each within 9.1 % of the exact percentile; null without measurements. */
const latency = z.strictObject({ p50: z.number().nullable(), p95: z.number().nullable(), p99: z.number().nullable() });

export const ruleCard = ruleKey.extend({
  policyId: z.uuid().nullable(),
  /** The number of hooks of that name at this event in the policies in force; 0 for one no longer in force. */
  inForce: z.number(),
  /** When it is enforced again; null if it is enforced, or no longer in force. */
  monitoredUntil: z.date().nullable(),
  /** The type of the hook: command, builtin, model; "" when it is not in force. */
  type: z.string(),
  matcher: z.string().nullable(),
  /** The number of times it was selected and started. */
  fired: z.number(),
  outcomes,
  latency,
  /** Calls that the rule denied or asked about, and that a person then allowed. */
  overturned: z.strictObject({ denied: z.number(), asked: z.number() }),
  /** The calls it made to models; null for a hook that asks none. Judges of one name in one policy share this. */
  judge: z
    .strictObject({ calls: z.number(), unpriced: z.number(), unanswered: z.number(), nano: z.bigint() })
    .nullable(),
});
export type RuleCard = z.infer<typeof ruleCard>;

export const RULE_CARDS_MAX = 500;
export const ruleCards = z.strictObject({
  /** The full hours that cover the requested range. */
  from: z.date(),
  to: z.date(),
  /** Hooks were not counted before this; null when it does not touch the range. */
  countedSince: z.date().nullable(),
  cards: z.array(ruleCard),
  /** False when more rules fired than are listed. */
  isWhole: z.boolean(),
});
export type RuleCards = z.infer<typeof ruleCards>;

export const ruleOutcomeView = z.strictObject({
  occurredAt: z.date(),
  id: z.uuid(),
  agentName: z.string(),
  tool: z.string().nullable(),
  outcome: z.enum(HOOK_OUTCOMES),
  revision: z.number(),
  excerpt: z.string(),
  /** The reason of the failure; null if it did not fail or the reason was dropped. */
  failure: z.string().nullable(),
  overturnedBy: z.string().nullable(),
  /** It can be opened among the decisions. */
  isDecision: z.boolean(),
});
export type RuleOutcomeView = z.infer<typeof ruleOutcomeView>;

export const ruleDetail = z.strictObject({
  from: z.date(),
  to: z.date(),
  bucketMs: z.number(),
  points: z.array(
    z.strictObject({
      at: z.date(),
      outcomes: z.partialRecord(z.enum(HOOK_OUTCOMES), z.number()),
      p95: z.number().nullable(),
    }),
  ),
  /** The newest of each kind in the range. */
  refusals: z.array(ruleOutcomeView),
  errors: z.array(ruleOutcomeView),
  overturned: z.array(ruleOutcomeView),
});
export type RuleDetail = z.infer<typeof ruleDetail>;
