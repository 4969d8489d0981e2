/** Plans a run of a judge's known calls: now for a person, or when something is due. */
import { type JudgeLabel, judgeLabel } from "@quarterdeck/hooks/contract/judge-prompt";
import type { Administrator } from "../../access/actor.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Pool } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { storedHooks } from "../../recording/schema.ts";
import type { CheckById } from "../check-schema.ts";
import * as prompts from "../repository.ts";
import * as calls from "./call-rows.ts";
import { findRevisionInForce } from "./revision-in-force.ts";
import * as runs from "./run-rows.ts";
import type { RunCause } from "./schema.ts";
import * as watches from "./watch-rows.ts";

export interface PlanningWorld {
  readonly db: Database;
  readonly bus: Bus;
  readonly clock: Pick<Clock, "now">;
}

type Prompt = Pick<prompts.PromptRow, "id" | "name">;

/** Plans a run for a person. Errors: `prompt_not_found`, `busy`, `invalid_input` with a sentence. */
export async function startRun(
  { db, bus, clock }: PlanningWorld,
  actor: Administrator,
  promptId: string,
): Promise<CheckById> {
  const { workspaceId } = actor;
  const prompt = await prompts.find(db.prisma, workspaceId, promptId);
  if (!prompt) throw new AppError("prompt_not_found", promptId);
  const text = await findRevisionInForce(db.pool, workspaceId, prompt);
  if (!text) throw refusal("Publish the prompt first. Known calls are put to a published revision.");
  if (text.schema === "") throw refusal("Only a prompt with a decision schema can be tested.");
  const count = await calls.count(db.pool, workspaceId, promptId);
  if (count === 0) throw refusal("Add known calls first.");
  const checkId = uuidv7();
  const { number: revision, sha256, model } = text;
  const watch = await watches.find(db.pool, workspaceId, promptId);
  const isPlanned = await prompts.audited(
    db.pool,
    actor,
    {
      ...{ kind: "judge_check_started", version: 1, by: actor.name, prompt: promptId, check: checkId },
      ...{ checkKind: "known", revision, sha256, calls: count },
    },
    (client) =>
      runs.insert(client, workspaceId, {
        ...{ id: checkId, promptId, revision, sha256, model, cause: "person", calls: count },
        ...{ nanoMax: watch?.nanoMax ?? null, startedBy: actor.name, at: new Date(clock.now()) },
      }),
  );
  if (!isPlanned)
    throw new AppError("busy", undefined, {
      says: "A run of these calls has not ended. Wait for its end.",
      retryAfterSeconds: 10,
    });
  bus.tell(workspaceId, ["prompts"]);
  return { checkId };
}

const refusal = (says: string) => new AppError("invalid_input", undefined, { says });

/** Plans the run that a watch is due for; false when it is due for none. */
export async function planDue(
  { db, bus }: PlanningWorld,
  { workspaceId, promptId, minute, plannedAt }: watches.DueWatchRow,
  now: Date,
): Promise<boolean> {
  const { pool } = db;
  const prompt = await prompts.find(db.prisma, workspaceId, promptId);
  const text = prompt && (await findRevisionInForce(pool, workspaceId, prompt));
  const count = await calls.count(pool, workspaceId, promptId);
  if (!text || text.schema === "" || count === 0) return false;
  const scheduled = await watches.findScheduled(pool, workspaceId, minute, now);
  const isScheduled = scheduled !== null && scheduled > plannedAt;
  const cause = isScheduled ? "schedule" : await changeOf(pool, workspaceId, prompt, text.number, now);
  if (cause === null) return false;
  const watch = await watches.find(pool, workspaceId, promptId);
  const { number: revision, sha256, model } = text;
  const isPlanned = await prompts.transaction(pool, async (client) => {
    const run = { id: uuidv7(), promptId, revision, sha256, model, cause, calls: count, startedBy: "", at: now };
    if (!(await runs.insert(client, workspaceId, { ...run, nanoMax: watch?.nanoMax ?? null }))) return false;
    if (isScheduled) await watches.notePlanned(client, workspaceId, promptId, scheduled);
    return true;
  });
  if (isPlanned) bus.tell(workspaceId, ["prompts"]);
  return isPlanned;
}

/** A provider that answers with two models in turns must not cause a run each minute. */
const MODEL_RUNS_APART_MS = 3_600_000;

/** The change since the last run that asks for another one. Without a last run there is nothing to compare. */
async function changeOf(
  pool: Pool,
  workspaceId: string,
  prompt: Prompt,
  revision: number,
  now: Date,
): Promise<RunCause | null> {
  const past = await runs.list(pool, workspaceId, prompt.id, RUNS_READ);
  const [last] = past;
  if (!last) return null;
  if (last.revision !== revision) return "revision";
  if (now.getTime() - last.started_at.getTime() < MODEL_RUNS_APART_MS) return null;
  const known = past.find(({ state }) => state === "finished")?.answered_by ?? null;
  const live = await findLiveModel(pool, workspaceId, { name: prompt.name, revision }, last.started_at);
  return known !== null && live !== null && known !== live ? "model" : null;
}

const RUNS_READ = 20;

/** The model of the newest live answer, in the provider's words. */
async function findLiveModel(pool: Pool, workspaceId: string, label: JudgeLabel, since: Date): Promise<string | null> {
  const row = await watches.findNewestAnswer(pool, workspaceId, judgeLabel(label), since);
  if (row === null) return null;
  return storedHooks.parse(JSON.parse(row.hooks))[row.place]?.judge?.answeredBy ?? null;
}
