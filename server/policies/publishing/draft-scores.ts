/** The injection scores of the judges in a policy's draft, before it is published. */
import type { Administrator } from "../../access/actor.ts";
import type { Database } from "../../platform/db.ts";
import { readText } from "../text/read-in-worker.ts";
import { get } from "../views.ts";
import type { JudgeScoresView } from "./judge-score-schema.ts";
import { listJudgeScores, reachesScore } from "./judge-scores.ts";
import { findRequirements } from "./requirements-repository.ts";

/** No judges for a text with problems. Errors: `policy_not_found`. */
export async function draftScores(db: Database, actor: Administrator, policyId: string): Promise<JudgeScoresView> {
  const { workspaceId } = actor;
  const { source } = await get(db, workspaceId, policyId);
  const { hooks } = await readText(actor.id, source);
  const { injectionMin: min } = await findRequirements(db.prisma, workspaceId);
  const judges = await listJudgeScores(db.prisma, workspaceId, hooks);
  return { min, judges: judges.map((judge) => ({ ...judge, isMet: min === null || reachesScore(judge, min) })) };
}
