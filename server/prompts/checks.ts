/** Checks of judge prompts: the injection test, its score, and the score that a publication requires. */
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction } from "../events/index.ts";
import type { Database, Pool } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import * as rows from "./check-rows.ts";
import { type CheckWorld, runCheck } from "./check-run.ts";
import type {
  CheckById,
  ChecksView,
  CheckView,
  PublishScoreView,
  SetPromptRequirement,
  StartCheck,
} from "./check-schema.ts";
import { INJECTION_PACK, INJECTION_PACK_VERSION } from "./injection-pack.ts";
import { normaliseLineEnds, requireWhole, sha256Of } from "./judged-text.ts";
import * as prompts from "./repository.ts";
import type { JudgedText } from "./schema.ts";

export interface JudgeChecks {
  /** Starts the injection test of a text. Errors: `invalid_input` with a sentence, `prompt_invalid`, `busy`, `prompt_not_found`. */
  start(actor: Administrator, input: StartCheck): Promise<CheckById>;
  /** Ends all of this process. */
  close(): Promise<void>;
}

const CHECKS_MAX = 200;
const INJECTION = { kind: "injection", pack: INJECTION_PACK_VERSION } as const;
const CALLS = INJECTION_PACK.map(({ id, input }) => ({ id, event: "pre_tool_use", input }));

export function createJudgeChecks(world: CheckWorld): JudgeChecks {
  const { db, bus, models, log } = world;
  const abort = new AbortController();
  const running = new Set<Promise<void>>();

  return {
    async start(actor, { promptId, ...given }) {
      const { workspaceId } = actor;
      const text = normaliseLineEnds(given);
      requireWhole(text);
      if (text.schema === "") throw refusal("Only a prompt with a decision schema can be tested.", "/schema");
      const prompt = await prompts.find(db.prisma, workspaceId, promptId);
      if (!prompt) throw new AppError("prompt_not_found", promptId);
      if (!(await models.priceOf(workspaceId, text.model)))
        throw refusal(`No connection for ${text.model}. Add one on the Judges page.`, "/model");
      const id = uuidv7();
      const sha256 = sha256Of(text);
      const revision = await revisionOf(db, workspaceId, promptId, sha256);
      const counts = { calls: CALLS.length, harmful: CALLS.length };
      const entry = { prompt: promptId, check: id, checkKind: INJECTION.kind, revision, sha256, calls: CALLS.length };
      const isPlanned = await prompts.audited(
        db.pool,
        actor,
        { kind: "judge_check_started", version: 1, by: actor.name, ...entry },
        (client) =>
          rows.insert(client, workspaceId, {
            ...{ id, promptId, revision, sha256, model: text.model, startedBy: actor.name },
            ...INJECTION,
            ...counts,
          }),
      );
      if (!isPlanned) throw busy();
      const done: Promise<void> = runCheck(world, { workspaceId, id, text, calls: CALLS }, abort.signal)
        .catch((error: unknown) => log.error({ err: error, check: id }, "a judge's check ended badly"))
        .finally(() => running.delete(done));
      running.add(done);
      bus.tell(workspaceId, ["prompts"]);
      return { checkId: id };
    },
    async close() {
      abort.abort(new Error("stopped"));
      await Promise.all(running);
    },
  };
}

const refusal = (says: string, pointer: string) => new AppError("invalid_input", undefined, { says, pointer });
const busy = () =>
  new AppError("busy", undefined, {
    says: "A test of this prompt is running already. Wait for its end.",
    retryAfterSeconds: 10,
  });

/** The newest revision with this text; 0 for a draft. */
async function revisionOf(db: Database, workspaceId: string, promptId: string, sha256: string): Promise<number> {
  const revisions = await prompts.listRevisions(db.prisma, workspaceId, promptId);
  return revisions.find((one) => one.sha256 === sha256)?.number ?? 0;
}

/** Every check of a prompt. A draft that was published since counts for its revision. Errors: `prompt_not_found`. */
export async function checks(db: Database, workspaceId: string, promptId: string): Promise<ChecksView> {
  const prompt = await prompts.find(db.prisma, workspaceId, promptId);
  if (!prompt) throw new AppError("prompt_not_found", promptId);
  const [found, revisions] = await Promise.all([
    rows.list(db.pool, workspaceId, { promptId, kind: INJECTION.kind }, CHECKS_MAX),
    prompts.listRevisions(db.prisma, workspaceId, promptId),
  ]);
  const numbers = new Map(revisions.map(({ sha256, number }) => [sha256, number]));
  return {
    injectionMin: prompt.injectionMin,
    checks: found.map((row) => viewOf({ ...row, revision: numbers.get(row.sha256) ?? row.revision })),
  };
}

function viewOf(row: rows.CheckRow): CheckView {
  const isInterrupted = row.state === "running" && row.is_silent;
  const answers = rows.checkAnswer.array().parse(row.answers);
  return {
    ...{ id: row.id, kind: row.kind, revision: row.revision, model: row.model },
    state: isInterrupted ? "not_run" : row.state,
    says: isInterrupted ? "The server that ran it stopped." : row.says,
    ...{ calls: row.calls, asked: row.asked, failed: row.failed },
    refused: row.state === "finished" ? { hits: row.caught, of: row.harmful } : null,
    spend: { nano: BigInt(row.cost_nano), unpriced: row.unpriced },
    answeredBy: row.answered_by,
    allowed: answers.flatMap(({ id, verdict }) => (verdict === "allow" ? [id] : [])).sort(),
    startedBy: row.started_by,
    startedAt: row.started_at,
  };
}

/** The newest injection test of a text, and whether it meets the prompt's requirement. */
export async function injectionOf(
  pool: Pool,
  workspaceId: string,
  { id, injectionMin: min }: Pick<prompts.PromptRow, "id" | "injectionMin">,
  text: JudgedText,
): Promise<PublishScoreView["injection"]> {
  const row = await rows.findOfText(pool, workspaceId, id, { ...INJECTION, sha256: sha256Of(text) });
  const check = row && viewOf(row);
  const refused = check?.refused ?? null;
  return { min, check, isMet: min === null || (refused !== null && refused.hits * 100 >= min * refused.of) };
}

/** Refuses a text below the required score. A text without a finished test has no score. Errors: `prompt_score_low`. */
export async function requireInjectionScore(
  pool: Pool,
  workspaceId: string,
  prompt: prompts.PromptRow,
  text: JudgedText,
): Promise<void> {
  const { min, check, isMet } = await injectionOf(pool, workspaceId, prompt, text);
  if (isMet) return;
  const has = check?.refused
    ? `This text refuses ${check.refused.hits} of ${check.refused.of} calls of the injection pack.`
    : "This text has no finished injection test.";
  throw new AppError("prompt_score_low", prompt.id, { says: `${has} The prompt requires ${min} %.` });
}

/** Sets the score that a publication requires. Errors: `prompt_not_found`. */
export async function setRequirement(
  { db, bus }: Pick<CheckWorld, "db" | "bus">,
  actor: Administrator,
  { promptId, injectionMin }: SetPromptRequirement,
): Promise<void> {
  const { workspaceId } = actor;
  await announcedTransaction({ db, bus }, workspaceId, ["prompts"], async (tx) => {
    const prompt = await prompts.findForUpdate(tx, workspaceId, promptId);
    if (!prompt) throw new AppError("prompt_not_found", promptId);
    if (prompt.injectionMin === injectionMin) return;
    await prompts.setInjectionMin(tx, workspaceId, promptId, injectionMin);
    await recordAudit(tx, actor, {
      kind: "judge_prompt_requirement_set",
      version: 1,
      by: actor.name,
      prompt: promptId,
      name: prompt.name,
      injectionMin,
    });
  });
}
