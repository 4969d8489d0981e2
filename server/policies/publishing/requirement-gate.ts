/**
 * The requirements of the workspace for each text that takes effect: by publication, roll back, canary and promotion. Every such
 * path asks `requireRequirements`, or, for changes of what binds agents, `listUnmet` through the binding gate.
 */
import type { Administrator } from "../../access/actor.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Database, Tx } from "../../platform/db.ts";
import * as policies from "../repository.ts";
import { readStoredPolicy } from "../text/stored-policy.ts";
import type { CaseGate, FailingCase } from "./case-gate.ts";
import { listJudgeScores, reachesScore, scoreText } from "./judge-scores.ts";
import { permitPublication } from "./permitted-hooks.ts";
import { findRequirements, listEvidence } from "./requirements-repository.ts";
import type { PublishRequirements, RequirementName } from "./requirements-schema.ts";

export interface TextToEnforce {
  readonly policy: Pick<policies.PolicyRow, "id" | "fourEyes">;
  /** The digest of the text; null where nothing of the policy is in force then. */
  readonly sha256: string | null;
  /** The hooks of the text, as stored; null with `sha256`. */
  readonly hooks: unknown;
  /** The cases that fail on the text; null where they were not run. */
  readonly failing: readonly Pick<FailingCase, "name">[] | null;
}

export interface Unmet {
  readonly requirement: RequirementName;
  /** The requirement and the next step, in a sentence or two. */
  readonly says: string;
}

/** Errors: `requirements_unmet` with each requirement that the text does not meet. */
export async function requireRequirements(tx: Tx, workspaceId: string, text: TextToEnforce): Promise<void> {
  refuseUnmet(text.policy.id, await listUnmet(tx, workspaceId, text));
}

/** Errors: `requirements_unmet`, unless `unmet` is empty. */
export function refuseUnmet(policyId: string, unmet: readonly Unmet[]): void {
  if (unmet.length === 0) return;
  throw new AppError("requirements_unmet", policyId, {
    says: `Not in force: ${unmet.map(({ says }) => says).join(" ")}`,
    problems: unmet.map(({ requirement, says }) => ({ path: requirement, message: says })),
  });
}

/** The requirements of the workspace that the text does not meet. */
export async function listUnmet(tx: Tx, workspaceId: string, text: TextToEnforce): Promise<readonly Unmet[]> {
  const required = await findRequirements(tx, workspaceId);
  const { needsBacktest, needsReview, newDenialsMax, needsPassingCases } = required;
  const scores = required.injectionMin === null ? [] : await unmetScores(tx, workspaceId, text, required.injectionMin);
  const unmet: Unmet[] = [...(needsPassingCases ? unmetCases(text) : []), ...scores];
  if (!needsBacktest && !needsReview && newDenialsMax === null) return unmet;
  const { policy, sha256 } = text;
  const runs = sha256 === null ? [] : await listEvidence(tx, workspaceId, policy.id, sha256);
  if (runs.length === 0) return [...unmet, { requirement: "backtest", says: sha256 === null ? NO_TEXT : NO_BACKTEST }];
  const unreviewed = needsReview ? unmetReview(runs, policy.fourEyes) : [];
  return [...unmet, ...unreviewed, ...unmetDenials(runs, newDenialsMax)];
}

type Runs = Awaited<ReturnType<typeof listEvidence>>;

const NO_TEXT = "The workspace requires a backtest, and there is no text to run. Publish a text instead.";
const NO_BACKTEST =
  "The workspace requires a backtest of exactly this text against what is in force now. Start a backtest, and try again when it has finished.";

function unmetCases({ sha256, failing }: TextToEnforce): Unmet[] {
  if (sha256 === null || failing?.length === 0) return [];
  const count = failing === null ? "They were not run." : `${failing.length} fail${failing.length === 1 ? "s" : ""}.`;
  const says = `The workspace requires that all test cases pass. ${count} Correct the text or the test cases.`;
  return [{ requirement: "passing_cases", says }];
}

/** Each judge of the text needs the score. A text without judges needs none. */
async function unmetScores(tx: Tx, workspaceId: string, { hooks }: TextToEnforce, min: number): Promise<Unmet[]> {
  const low = (await listJudgeScores(tx, workspaceId, hooks)).filter((judge) => !reachesScore(judge, min));
  if (low.length === 0) return [];
  const names = low.slice(0, JUDGES_NAMED).map(scoreText).join(", ");
  const more = low.length > JUDGES_NAMED ? ` and ${low.length - JUDGES_NAMED} more` : "";
  const says = `The workspace requires an injection score of at least ${min} % for each judge: ${names}${more}. Run the injection test of the judge's prompt, or correct the prompt.`;
  return [{ requirement: "injection_score", says }];
}
const JUDGES_NAMED = 3;

/** A review covers its run and the runs before it. A later run with looser or unknown calls needs a review of its own. */
function unmetReview(runs: Runs, fourEyes: boolean): Unmet[] {
  const last = runs.findIndex((run) => run.isReviewed && (!fourEyes || run.isBySecondPerson));
  const open = (last < 0 ? runs : runs.slice(0, last)).filter(({ looser, unknown }) => looser + unknown > 0);
  const [run] = open;
  if (!run) return [];
  const who = fourEyes ? "Ask a person who has not edited the text" : "Open the backtest";
  const says = `The workspace requires a review of less strict and unknown outcomes. The backtest has ${run.looser} less strict and ${run.unknown} unknown. ${who} to mark it as reviewed.`;
  return [{ requirement: "review", says }];
}

function unmetDenials(runs: Runs, max: PublishRequirements["newDenialsMax"]): Unmet[] {
  if (max === null) return [];
  const most = Math.max(...runs.map(({ newDenials }) => newDenials));
  if (most > max)
    return denials(
      `The workspace allows ${max} new denials a day. The backtest has ${most} on one day. Narrow the text.`,
    );
  if (runs.every(({ notKept }) => notKept === 0)) return [];
  return denials(
    `The workspace allows ${max} new denials a day. The backtest has too many changed calls to count them. Run it on fewer days.`,
  );
}

const denials = (says: string): Unmet[] => [{ requirement: "new_denials", says }];

/**
 * The cases that fail on a published revision, before it takes effect again; null where the revision or its runner is missing.
 * Empty where the workspace does not require passing cases. Errors: `forbidden` for commands that the actor may not publish.
 */
export async function runRequiredCases(
  db: Database,
  actor: Administrator,
  run: CaseGate["failing"] | undefined,
  { policyId, number }: { readonly policyId: string; readonly number: number },
): Promise<readonly FailingCase[] | null> {
  const { workspaceId } = actor;
  if (!(await findRequirements(db.prisma, workspaceId)).needsPassingCases) return [];
  const policy = await policies.find(db.prisma, workspaceId, policyId);
  const row = await policies.findRevision(db.prisma, workspaceId, policyId, number);
  if (!run || !policy || !row) return null;
  const { hooks, profile } = readStoredPolicy(row);
  return run(policyId, permitPublication(actor, { name: policy.name, source: row.source, hooks, profile }));
}
