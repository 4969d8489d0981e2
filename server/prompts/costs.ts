/** The costs of questions that no hook asked: known calls, injection tests and trials. */
import type { JudgeRange } from "../judges/schema.ts";
import type { Database } from "../platform/db.ts";
import { PROMPT_COST_KINDS, type PromptCostKind, type PromptCostView } from "./cost-schema.ts";

interface CostRow {
  readonly kind: PromptCostKind;
  readonly answers: string;
  readonly unpriced: string;
  readonly nano: string;
}

/** One sum for each kind. A run of known calls, an injection test and a trial count at their start. */
export async function costs(db: Database, workspaceId: string, { from, to }: JudgeRange): Promise<PromptCostView[]> {
  const found = await db.pool.query<CostRow>({
    name: "prompts_costs",
    text: `SELECT kind, sum(asked) AS answers, sum(unpriced) AS unpriced, sum(cost_nano) AS nano
           FROM judge_check WHERE workspace_id = $1 AND started_at >= $2 AND started_at < $3 GROUP BY kind
           UNION ALL
           SELECT 'trial', count(*) FILTER (WHERE call.pricing <> 'unanswered'),
             count(*) FILTER (WHERE call.pricing = 'unpriced'), coalesce(sum(call.cost_nano), 0)
           FROM judge_trial AS trial
           JOIN judge_trial_call AS call ON call.workspace_id = trial.workspace_id AND call.trial_id = trial.id
           WHERE trial.workspace_id = $1 AND trial.started_at >= $2 AND trial.started_at < $3`,
    values: [workspaceId, from, to],
  });
  return PROMPT_COST_KINDS.map((kind) => {
    const row = found.rows.find((one) => one.kind === kind);
    return {
      kind,
      answers: Number(row?.answers ?? 0),
      unpriced: Number(row?.unpriced ?? 0),
      nano: BigInt(row?.nano ?? 0),
    };
  });
}
