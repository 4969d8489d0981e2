/**
 * Trials: a judge's text on recorded calls. Each question is reserved in the trial's own account before it is sent, so
 * that concurrent questions and trials cannot exceed the budget; the first without room ends the trial.
 */
import type { Administrator } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import { dayOf, type Models } from "../judges/index.ts";
import type { Database } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { Log } from "../platform/log.ts";
import { requireWhole, sha256Of } from "./judged-text.ts";
import { select } from "./recorded-calls.ts";
import * as prompts from "./repository.ts";
import { type JudgedText, type StartTrial, TRIAL_LIMITS, type TrialById } from "./schema.ts";
import * as rows from "./trial-rows.ts";
import { runTrial } from "./trial-run.ts";

export interface JudgeTrials {
  /**
   * Plans the trial and starts it. Errors: `invalid_input` with a sentence, `busy`, `prompt_not_found`,
   * `trial_not_found`.
   */
  start(actor: Administrator, input: StartTrial): Promise<TrialById>;
  /** Cancels it; answers so far are kept. Errors: `trial_not_found`. */
  cancel(actor: Administrator, trial: TrialById): Promise<void>;
  /** Ends all of this process. */
  close(): Promise<void>;
}

interface World {
  readonly db: Database;
  readonly bus: Bus;
  readonly models: Models;
  readonly log: Log;
}

export function createJudgeTrials(world: World): JudgeTrials {
  const { db, bus, models, log } = world;
  const running = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>();

  return {
    async start(actor, input) {
      const { workspaceId } = actor;
      const { revision, text } = await textOf(db, workspaceId, input);
      requireWhole(text);
      await requireBudget(models, workspaceId, text.model, input);
      const calls = await callsOf(db, workspaceId, input);
      const questions = calls.length * input.repeats;
      if (calls.length === 0) throw refusal("No recorded call matches. Widen the filter.", "/on");
      if (questions > TRIAL_LIMITS.questions)
        throw refusal(
          `That is ${questions} questions; a trial asks at most 1,000. Choose fewer calls or repeats.`,
          "/repeats",
        );
      const id = uuidv7();
      const sha256 = sha256Of(text);
      const { promptId, budget } = input;
      const isPlanned = await prompts.audited(
        db.pool,
        actor,
        {
          kind: "judge_trial_started",
          version: 1,
          by: actor.name,
          prompt: promptId,
          trial: id,
          revision,
          sha256,
          calls: calls.length,
          repeats: input.repeats,
          callsMax: budget.calls,
          nanoMax: budget.nano?.toString() ?? null,
        },
        (client) =>
          rows.insert(
            client,
            workspaceId,
            { id, promptId, revision, ...text, sha256, startedBy: actor.name, settings: input, calls },
            TRIAL_LIMITS.running,
          ),
      );
      if (!isPlanned)
        throw new AppError("busy", undefined, {
          says: `${TRIAL_LIMITS.running} trials are running already. Wait for one, or cancel it.`,
          retryAfterSeconds: 10,
        });
      const abort = new AbortController();
      const day = dayOf(Date.now());
      const done = runTrial({ db, bus, models, log }, { workspaceId, id, day, text, settings: input }, abort.signal)
        .catch((error: unknown) => log.error({ err: error, trial: id }, "a judge's trial ended badly"))
        .finally(() => running.delete(id));
      running.set(id, { abort, done });
      bus.tell(workspaceId, ["prompts"]);
      return { trialId: id };
    },
    async cancel({ workspaceId }, { trialId }) {
      if (!(await rows.cancel(db.pool, workspaceId, trialId))) throw new AppError("trial_not_found", trialId);
      // The map holds trials of all workspaces; the query above has checked that this one belongs to the workspace.
      running.get(trialId)?.abort.abort("canceled");
      bus.tell(workspaceId, ["prompts"]);
    },
    async close() {
      const all = [...running.values()];
      for (const { abort } of all) abort.abort("stopped");
      await Promise.all(all.map(({ done }) => done));
    },
  };
}

const refusal = (says: string, pointer: string) => new AppError("invalid_input", undefined, { says, pointer });

async function textOf(
  db: Database,
  workspaceId: string,
  { promptId, what }: StartTrial,
): Promise<{ readonly revision: number; readonly text: JudgedText }> {
  if (!(await prompts.find(db.prisma, workspaceId, promptId))) throw new AppError("prompt_not_found", promptId);
  if (what.kind === "draft") return { revision: 0, text: what.text };
  const found = await prompts.findRevision(db.prisma, workspaceId, promptId, what.number);
  if (!found) throw new AppError("revision_not_found", `${promptId} ${what.number}`);
  const { template, model, schema } = found;
  return { revision: what.number, text: { template, model, schema } };
}

/** A limit in dollars is possible only for a priced model, and required for one. */
async function requireBudget(
  models: Models,
  workspaceId: string,
  model: string,
  { budget }: StartTrial,
): Promise<void> {
  const found = await models.priceOf(workspaceId, model);
  if (!found) throw refusal(`No connection for ${model}. Add one on the Judges page.`, "/what");
  if (found.price && budget.nano === null) throw refusal("Enter the trial's budget in dollars.", "/budget/nano");
  if (!found.price && budget.nano !== null)
    throw refusal(
      `${model} has no price on ${found.connection}, so a dollar budget cannot be enforced. Add its price, or limit calls only.`,
      "/budget/nano",
    );
}

async function callsOf(
  db: Database,
  workspaceId: string,
  { promptId, on }: StartTrial,
): Promise<rows.NewTrial["calls"]> {
  if (on.kind === "filter") {
    const found = await select(db, workspaceId, promptId, on.filter, on.calls);
    return found.map(({ id, ...row }) => ({ ...row, dispatch_id: id }));
  }
  const other = await rows.find(db.pool, workspaceId, on.trialId);
  if (!other || other.prompt_id !== promptId) throw new AppError("trial_not_found", on.trialId);
  return (await rows.listCalls(db.pool, workspaceId, [on.trialId])).filter(({ repeat }) => repeat === 0);
}
