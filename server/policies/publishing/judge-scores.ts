/** The injection scores of the judges in a text. A judge has the score of the newest finished test of exactly its text. */
import { everyHook, type HookDefinition, type HooksConfig } from "@quarterdeck/hooks";
import { GUARD_DECISION, PRE_TOOL_USE_DECISION } from "@quarterdeck/hooks/contract/judge";
import type { Tx } from "../../platform/db.ts";
import { findInjectionScore } from "../../prompts/index.ts";
import type { JudgeScore } from "./judge-score-schema.ts";

/** The judges that decide about calls, in the order of the text. `hooks`: a hooks block as stored. */
export async function listJudgeScores(tx: Tx, workspaceId: string, hooks: unknown): Promise<JudgeScore[]> {
  // Holds: a stored hooks block was parsed before it was stored.
  const judges = everyHook((hooks ?? {}) as HooksConfig).filter(({ hook }) => isJudge(hook));
  const found: JudgeScore[] = [];
  for (const [place, { hook }] of judges.entries())
    found.push({ place, name: nameOf(hook), score: await scoreOf(tx, workspaceId, hook) });
  return found;
}

const isJudge = ({ type, schema }: HookDefinition): boolean =>
  type === "model" && (schema === PRE_TOOL_USE_DECISION || schema === GUARD_DECISION);

const nameOf = ({ name, model, judge }: HookDefinition): string => name ?? judge ?? model ?? "judge";

/** Null without a finished test. A judge with a system prompt of its own is not tested, because tests use the standard one. */
async function scoreOf(tx: Tx, workspaceId: string, hook: HookDefinition): Promise<JudgeScore["score"]> {
  const { prompt = "", model = "", schema = "", system_prompt } = hook;
  return system_prompt ? null : findInjectionScore(tx, workspaceId, { template: prompt, model, schema });
}

export const reachesScore = ({ score }: JudgeScore, min: number): boolean =>
  score !== null && score.hits * 100 >= min * score.of;

/** "shell judge has 54 of 60" */
export const scoreText = ({ name, score }: JudgeScore): string =>
  score === null ? `${name} has no finished test` : `${name} has ${score.hits} of ${score.of}`;
