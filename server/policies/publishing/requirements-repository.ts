/** The stored requirements, and the part of backtests that they need. Backtests themselves are in server/backtest. */
import type { Tx } from "../../platform/db.ts";
import { IN_FORCE_DIGEST_SQL } from "./in-force-digest.ts";
import { NO_REQUIREMENTS, type PublishRequirements, type PublishRequirementsView } from "./requirements-schema.ts";

/** The requirements of the workspace; none where no person set any. */
export async function findRequirements(tx: Tx, workspaceId: string): Promise<PublishRequirementsView> {
  const [row] = await tx.$queryRaw<PublishRequirementsView[]>`
    SELECT needs_backtest AS "needsBacktest", needs_review AS "needsReview", new_denials_max AS "newDenialsMax",
      needs_passing_cases AS "needsPassingCases", injection_min AS "injectionMin", set_by AS "setBy", set_at AS "setAt"
    FROM publish_requirement WHERE workspace_id = ${workspaceId}::uuid`;
  return row ?? { ...NO_REQUIREMENTS, setBy: null, setAt: null };
}

export async function upsertRequirements(
  tx: Tx,
  workspaceId: string,
  { needsBacktest, needsReview, newDenialsMax, needsPassingCases, injectionMin }: PublishRequirements,
  by: string,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO publish_requirement (workspace_id, needs_backtest, needs_review, new_denials_max, needs_passing_cases, injection_min, set_by)
    VALUES (${workspaceId}::uuid, ${needsBacktest}, ${needsReview}, ${newDenialsMax}::integer, ${needsPassingCases},
      ${injectionMin}::integer, ${by})
    ON CONFLICT (workspace_id) DO UPDATE SET needs_backtest = excluded.needs_backtest, needs_review = excluded.needs_review,
      new_denials_max = excluded.new_denials_max, needs_passing_cases = excluded.needs_passing_cases, injection_min = excluded.injection_min,
      set_by = excluded.set_by,
      set_at = clock_timestamp()`;
}

export interface BacktestEvidence {
  readonly id: string;
  readonly looser: number;
  readonly unknown: number;
  /** New denials on the day with the most of them, of the kept flips. */
  readonly newDenials: number;
  /** Changed calls that were counted and not kept. */
  readonly notKept: number;
  readonly isReviewed: boolean;
  /** True if the reviewer had not written the text. */
  readonly isBySecondPerson: boolean;
}

const RUNS_MAX = 50;

/** The finished backtests of exactly this text against what is in force now, the newest first. */
export function listEvidence(
  tx: Tx,
  workspaceId: string,
  policyId: string,
  sha256: string,
): Promise<BacktestEvidence[]> {
  return tx.$queryRawUnsafe<BacktestEvidence[]>(
    `SELECT run.id, (run.tally ->> 'looser')::float8 AS looser, (run.tally ->> 'notKept')::float8 AS "notKept",
       (SELECT coalesce(sum(part.value::float8), 0) FROM jsonb_each_text(run.tally -> 'unknown') AS part) AS unknown,
       (SELECT coalesce(max(day.denied), 0)::float8 FROM (SELECT count(*) AS denied FROM backtest_flip AS flip
          WHERE flip.workspace_id = $1::uuid AND flip.run_id = run.id AND flip.verdict_to = 'deny' AND flip.verdict_from <> 'deny'
          GROUP BY quarterdeck_day_of($1::uuid, flip.occurred_at)) AS day) AS "newDenials",
       run.reviewed_at IS NOT NULL AS "isReviewed", coalesce(run.reviewed_by_second, false) AS "isBySecondPerson"
     FROM backtest_run AS run
     WHERE run.workspace_id = $1::uuid AND run.policy_id = $2::uuid AND run.sha256 = $3 AND run.state = 'finished'
       AND run.in_force = ${IN_FORCE_DIGEST_SQL}
     ORDER BY run.asked_at DESC, run.id DESC LIMIT ${RUNS_MAX}`,
    workspaceId,
    policyId,
    sha256,
  );
}
