/** The figures of a prompt's revisions, from trials, live answers and labels. */

import { parseJudgeLabel } from "@quarterdeck/hooks/contract/judge-prompt";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import * as labelRows from "./label-rows.ts";
import { type Answer, type Expected, expectedOf, measuresOf } from "./measures.ts";
import * as prompts from "./repository.ts";
import type { PromptMeasuresView } from "./schema.ts";
import * as trialRows from "./trial-rows.ts";

const TRIALS_MAX = 100;
const LIVE_MAX = 20_000;
const LABELS_MAX = 20_000;

/** The key of a recorded call for joining answers and labels. */
export const recordedCallKey = (row: { readonly occurred_at: Date; readonly dispatch_id: string }): string =>
  `${row.occurred_at.getTime()}.${row.dispatch_id}`;

/** The decisions that people expect of the calls that a prompt judged. */
export async function expectations(
  db: Database,
  workspaceId: string,
  promptId: string,
): Promise<Map<string, Expected>> {
  const rows = await labelRows.listOfPrompt(db.pool, workspaceId, promptId, LABELS_MAX);
  return expectedOf(
    rows.map((row) => ({
      about: recordedCallKey(row),
      personId: row.person_id,
      expected: row.expected,
      at: row.labelled_at,
    })),
  );
}

/** An answer of a trial; null for a question that was not put. */
export function trialAnswer(row: trialRows.TrialCallRow): Answer | null {
  if (row.verdict === null) return null;
  return {
    about: recordedCallKey(row),
    group: `${row.trial_id}.${row.place}`,
    verdict: row.verdict,
    latencyMs: row.latency_ms,
    pricing: row.pricing ?? "unanswered",
    nano: row.cost_nano === null ? null : BigInt(row.cost_nano),
  };
}

/** Every revision that was tried or asked live. Errors: `prompt_not_found`. */
export async function measures(db: Database, workspaceId: string, promptId: string): Promise<PromptMeasuresView> {
  const prompt = await prompts.find(db.prisma, workspaceId, promptId);
  if (!prompt) throw new AppError("prompt_not_found", promptId);
  const [revisions, trials, live, expected] = await Promise.all([
    prompts.listRevisions(db.prisma, workspaceId, promptId),
    trialRows.list(db.pool, workspaceId, promptId, TRIALS_MAX),
    labelRows.listLiveAnswers(db.pool, workspaceId, prompt.name, LIVE_MAX),
    expectations(db, workspaceId, promptId),
  ]);
  const asked = await trialRows.listCalls(
    db.pool,
    workspaceId,
    trials.map(({ id }) => id),
  );
  const textOfTrial = new Map(trials.map(({ id, sha256 }) => [id, sha256]));
  const byText = new Map<string, Answer[]>();
  for (const row of asked) {
    const answer = trialAnswer(row);
    const sha256 = textOfTrial.get(row.trial_id) ?? "";
    if (!answer) continue;
    const answers = byText.get(sha256);
    if (answers) answers.push(answer);
    else byText.set(sha256, [answer]);
  }
  const byNumber = new Map<number, Answer[]>();
  for (const row of live) {
    const number = parseJudgeLabel(row.label)?.revision ?? 0;
    const answers = byNumber.get(number) ?? [];
    answers.push({
      about: recordedCallKey(row),
      group: null,
      verdict: row.verdict,
      latencyMs: row.latency_ms,
      pricing: row.pricing,
      nano: row.cost_nano === null ? null : BigInt(row.cost_nano),
    });
    byNumber.set(number, answers);
  }
  return {
    revisions: revisions.map(({ number, sha256 }) => ({
      number,
      measures: measuresOf([...(byText.get(sha256) ?? []), ...(byNumber.get(number) ?? [])], expected),
    })),
    isCut: trials.length === TRIALS_MAX || live.length === LIVE_MAX,
  };
}
