/** One attempt of a run: asks the calls that earlier attempts left, and ends or postpones the run. */
import { hookInput } from "@quarterdeck/hooks/contract/input";
import { appendAudit } from "../../audit/record-audit.ts";
import { asAppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import { dayOf, type Models } from "../../judges/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { askRecorded } from "../ask-recorded.ts";
import { checkAnswer } from "../check-rows.ts";
import { isJudgesAnswer } from "../check-run.ts";
import * as prompts from "../repository.ts";
import type { JudgedText } from "../schema.ts";
import type { Asked } from "../trial-rows.ts";
import * as calls from "./call-rows.ts";
import { createRunTally, flipsOf, limitsPassed, type RunTally } from "./result.ts";
import type { ClaimedRun, RunCounts } from "./run-rows.ts";
import * as runs from "./run-rows.ts";
import { KNOWN_CALLS_MAX, type KnownLimit } from "./schema.ts";
import * as watches from "./watch-rows.ts";

export interface RunWorld {
  readonly db: Database;
  readonly bus: Bus;
  readonly models: Models;
  readonly log: Log;
  readonly clock: Pick<Clock, "now">;
}

const AT_A_TIME = 4;
const TIMEOUT_SECONDS = 60;
const BEAT_MS = 15_000;
/** From its start, a run waits this long for a provider that does not answer. */
const WAIT_MS = 2 * 3_600_000;
const FIRST_PAUSE_MS = 60_000;
const PAUSE_MS_MAX = 30 * 60_000;
/** Within `WAIT_MS` there is room for fewer attempts. */
const ATTEMPTS_MAX = 12;

/** Milliseconds from an attempt to the next one. */
export const pauseAfter = (attempts: number): number =>
  Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 10));

type Stop =
  | { readonly kind: "capped" | "impossible"; readonly says: string }
  | { readonly kind: "unanswered"; readonly says: string }
  | { readonly kind: "lost" };

/** Errors: none; a fault postpones the run like a provider that does not answer. An aborted run is left to the next attempt. */
export async function runKnownCalls(world: RunWorld, run: ClaimedRun, signal: AbortSignal): Promise<void> {
  const { db, bus, log, clock } = world;
  const { workspaceId, id } = run;
  const now = () => new Date(clock.now());
  try {
    const attempt = await prepare(world, run);
    const stop = "kind" in attempt ? attempt : await askAll(world, run, attempt, signal);
    if (stop?.kind === "lost") return;
    if (signal.aborted) await runs.postpone(db.pool, run, now(), "The server was stopped.");
    else if (stop === null) await endRun(world, run, null);
    else await stopOrWait(world, run, stop);
  } catch (err) {
    log.error({ err, check: id }, "an attempt of known calls failed");
    await stopOrWait(world, run, { kind: "unanswered", says: asAppError(err).message });
  }
  bus.tell(workspaceId, ["prompts", "judges"]);
}

async function stopOrWait(world: RunWorld, run: ClaimedRun, stop: Exclude<Stop, { kind: "lost" }>): Promise<void> {
  if (stop.kind !== "unanswered") return endRun(world, run, stop.says);
  const nextMs = world.clock.now() + pauseAfter(run.attempts);
  if (nextMs <= run.startedAt.getTime() + WAIT_MS && run.attempts < ATTEMPTS_MAX)
    return runs.postpone(world.db.pool, run, new Date(nextMs), `The provider did not answer: ${stop.says}`);
  return endRun(world, run, `The provider did not answer within 2 hours: ${stop.says}`);
}

interface Attempt {
  readonly text: JudgedText;
  readonly waiting: calls.KnownInputRow[];
  readonly tally: RunTally;
  /** Null for a model without a price, whose dollars cannot be counted. */
  readonly nanoMax: bigint | null;
}

async function prepare({ db, models }: RunWorld, run: ClaimedRun): Promise<Attempt | Stop> {
  const { workspaceId, promptId } = run;
  const text = await prompts.findRevision(db.prisma, workspaceId, promptId, run.revision);
  if (!text) return { kind: "impossible", says: "The revision was deleted." };
  const inputs = await calls.listInputs(db.pool, workspaceId, promptId, KNOWN_CALLS_MAX);
  if (inputs.length === 0) return { kind: "impossible", says: "There are no known calls." };
  const priced = await models.priceOf(workspaceId, text.model);
  const kinds = new Map(inputs.map(({ id, kind }) => [id, kind]));
  const tally = createRunTally(kinds, {
    answers: checkAnswer.array().parse(run.answers),
    ...{ unpriced: run.unpriced, costNano: BigInt(run.costNano), answeredBy: run.answeredBy },
  });
  return {
    text: { template: text.template, model: text.model, schema: text.schema },
    waiting: inputs.filter(({ id }) => !tally.hasAnswer(id)),
    tally,
    nanoMax: run.nanoMax === null || !priced?.price ? null : BigInt(run.nanoMax),
  };
}

/** Null when every call has an answer. */
async function askAll(world: RunWorld, run: ClaimedRun, attempt: Attempt, signal: AbortSignal): Promise<Stop | null> {
  const { db, bus, clock } = world;
  const { waiting, tally } = attempt;
  const own = new AbortController();
  const ended = AbortSignal.any([signal, own.signal]);
  const state: { stop: Stop | null; saving: Promise<void> } = { stop: null, saving: Promise.resolve() };
  async function saveNow(): Promise<void> {
    if (await runs.save(db.pool, run, tally.counts(), new Date(clock.now()))) return;
    state.stop = { kind: "lost" };
    own.abort(new Error("another attempt has the run"));
  }
  // One after the other, so that older counts never replace newer ones.
  const save = () => {
    state.saving = state.saving.then(saveNow);
    return state.saving;
  };
  async function worker(): Promise<void> {
    for (let call = waiting.shift(); call && state.stop === null && !ended.aborted; call = waiting.shift()) {
      const { asked, isCapped } = await ask(world, run, attempt, call, ended);
      if (ended.aborted) return;
      if (isCapped) state.stop ??= { kind: "capped", says: "The limit of a run leaves no room for another call." };
      else if (!isJudgesAnswer(asked)) state.stop ??= { kind: "unanswered", says: asked.reason };
      else tally.add(call.id, asked);
      await save();
      bus.tell(run.workspaceId, ["prompts"]);
    }
  }
  const pulse = setInterval(() => void save().catch(() => undefined), BEAT_MS);
  try {
    await save();
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  } finally {
    clearInterval(pulse);
  }
  return state.stop;
}

/** Asks within the connection's caps and the run's own. The verdict cache is not used. */
async function ask(
  { models }: RunWorld,
  { workspaceId, id, startedAt }: ClaimedRun,
  { text, nanoMax }: Attempt,
  call: calls.KnownInputRow,
  signal: AbortSignal,
): Promise<{ readonly asked: Asked; readonly isCapped: boolean }> {
  let isCapped = false;
  const client = models.clientOf(workspaceId, {
    account: `check ${id}`,
    day: dayOf(startedAt.getTime()),
    callsPerDay: BigInt(KNOWN_CALLS_MAX + AT_A_TIME * ATTEMPTS_MAX),
    nanoPerDay: nanoMax,
    spent: (where) => {
      isCapped = where === "budget";
    },
  });
  const event = { event: call.event, input: hookInput.parse(JSON.parse(call.input)) };
  return { asked: await askRecorded(client, text, event, TIMEOUT_SECONDS, signal), isCapped };
}

/** Ends the run with its result; with a reason, as not run. One transaction records it and halts the judge. */
async function endRun({ db, bus, clock }: RunWorld, run: ClaimedRun, reason: string | null): Promise<void> {
  const { workspaceId, promptId, id } = run;
  const prompt = await prompts.find(db.prisma, workspaceId, promptId);
  if (!prompt) return;
  await prompts.transaction(db.pool, async (client) => {
    const counts = reason === null ? await countsOf(client, run) : null;
    const watch = await watches.find(client, workspaceId, promptId);
    const flips = { hits: counts?.flips ?? 0, of: counts?.compared ?? 0 };
    const recall = { hits: counts?.caught ?? 0, of: counts?.harmful ?? 0 };
    const falseAlarms = { hits: counts?.falseAlarms ?? 0, of: counts?.good ?? 0 };
    const beyond: KnownLimit[] = watch === null ? [] : limitsPassed({ recall, falseAlarms, flips }, watch);
    const state = reason === null ? "finished" : "not_run";
    const result = { state, says: reason ?? "", compared: flips.of, flips: flips.hits, beyond } as const;
    if (!(await runs.end(client, run, result, new Date(clock.now())))) return;
    const isHalted = beyond.length > 0 && (await watches.halt(client, workspaceId, promptId, id));
    await appendAudit(client, workspaceId, {
      ...{ kind: "judge_known_calls_run", version: 1, prompt: promptId, name: prompt.name, check: id },
      ...{ cause: run.cause, revision: run.revision, state, says: result.says },
      ...{ recall, falseAlarms, flips, beyond, isHalted },
    });
    await client.query("SELECT pg_notify($1, $2)", [bus.channel, bus.message(workspaceId, TOPICS)]);
  });
  bus.announce(workspaceId, TOPICS);
}

const TOPICS = ["prompts", "judges", "audit"] as const;

type Result = Pick<RunCounts, "harmful" | "caught" | "good" | "falseAlarms"> & {
  readonly compared: number;
  readonly flips: number;
};

/** The stored counts of the run, and its flips since the finished run of the same text before it. */
async function countsOf(client: Parameters<typeof runs.findCounts>[0], run: ClaimedRun): Promise<Result> {
  const { workspaceId, promptId, sha256 } = run;
  const { answers, ...counts } = await runs.findCounts(client, run);
  const [before] = await runs.listFinishedAnswers(client, workspaceId, promptId, { sha256, limit: 1 });
  const earlier = before ? checkAnswer.array().parse(before.answers) : null;
  const { compared, flipped } = flipsOf(earlier, checkAnswer.array().parse(answers));
  return { ...counts, compared, flips: flipped.length };
}
