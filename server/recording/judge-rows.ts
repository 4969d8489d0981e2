/** The questions to judges in one dispatch, one row for each. Pure; the words stay in the dispatch's own row. */

import { decisionOfJudge } from "@quarterdeck/hooks/contract/judge";
import type { DispatchRecord } from "./dispatch-record.ts";
import { indexKeyText } from "./pg-text.ts";
import type { StoredHook } from "./schema.ts";

export type Pricing = "priced" | "free" | "unpriced" | "unanswered";

export interface JudgeRow {
  /** Its position among the hooks of its dispatch. */
  readonly place: number;
  readonly policy: string;
  readonly revision: number;
  readonly hook: string;
  readonly model: string;
  /** `name@revision` of a judge prompt; null for a hook without one. */
  readonly label: string | null;
  readonly provider: string;
  readonly verdict: string;
  /** "" when it answered as asked. */
  readonly cause: string;
  readonly pricing: Pricing;
  readonly costNano: bigint | null;
  readonly usage: NonNullable<NonNullable<StoredHook["judge"]>["usage"]> | null;
  readonly latencyMs: number | null;
}

const NONE: readonly JudgeRow[] = [];
/** Four texts of a rollup's key fit one index row together. */
export const JUDGE_KEY_MAX = 128;

export function toJudgeRows({ hooks }: DispatchRecord): readonly JudgeRow[] {
  if (!hooks.some((hook) => hook.judge)) return NONE;
  return hooks.flatMap((hook, place) => (hook.judge ? [rowOf(hook, hook.judge, place)] : []));
}

function rowOf(hook: StoredHook, judge: NonNullable<StoredHook["judge"]>, place: number): JudgeRow {
  return {
    place,
    policy: indexKeyText(hook.policy, JUDGE_KEY_MAX),
    revision: hook.revision,
    hook: indexKeyText(hook.name, JUDGE_KEY_MAX),
    model: indexKeyText(judge.model, JUDGE_KEY_MAX),
    label: judge.label === undefined ? null : indexKeyText(judge.label, JUDGE_KEY_MAX),
    provider: indexKeyText(judge.provider ?? ""),
    verdict: hook.outcome === "failed" ? "failed" : decisionOfJudge(hook.said, judge.schema),
    cause: indexKeyText(judge.cause ?? "", JUDGE_KEY_MAX),
    pricing: pricingOf(judge.costNano),
    costNano: typeof judge.costNano === "string" ? BigInt(judge.costNano) : null,
    usage: judge.usage ?? null,
    latencyMs: judge.latencyMs ?? null,
  };
}

/** The pricing of a stored cost: digits, null for an answer without a price, undefined for no answer. */
export function pricingOf(costNano: string | null | undefined): Pricing {
  if (costNano === undefined) return "unanswered";
  if (costNano === null) return "unpriced";
  return costNano === "0" ? "free" : "priced";
}
