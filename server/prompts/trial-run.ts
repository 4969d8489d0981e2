/** The running of one trial: a few questions at a time, until all are answered or something ends it. */
import { asAppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import type { Models } from "../judges/index.ts";
import { findMasking } from "../masking/index.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { askRecorded, forgotten } from "./ask-recorded.ts";
import { inputOf } from "./recorded-calls.ts";
import type { JudgedText, StartTrial } from "./schema.ts";
import * as rows from "./trial-rows.ts";

export interface TrialWorld {
  readonly db: Database;
  readonly bus: Bus;
  readonly models: Models;
  readonly log: Log;
}

export interface PlannedTrial {
  readonly workspaceId: string;
  readonly id: string;
  /** The one day its budget counts in. */
  readonly day: string;
  readonly text: JudgedText;
  readonly settings: Pick<StartTrial, "timeoutSeconds" | "budget">;
}

type End = { readonly state: "canceled" | "spent" | "stopped"; readonly says: string };

const AT_A_TIME = 4;
const BEAT_MS = 15_000;

/** Resolves when it has ended and its row says how. The signal's reason is `canceled` or `stopped`. */
export async function runTrial(world: TrialWorld, trial: PlannedTrial, signal: AbortSignal): Promise<void> {
  const { db, bus } = world;
  const { workspaceId, id } = trial;
  const abort = new AbortController();
  const stop = () => abort.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const pulse = setInterval(() => {
    void rows.beat(db.pool, workspaceId, id).then(
      (isCanceling) => isCanceling && abort.abort("canceled"),
      () => undefined,
    );
  }, BEAT_MS);
  let end: End | null = null;
  try {
    end = await askAll(world, trial, abort);
  } catch (error) {
    world.log.error({ err: error, trial: id }, "a judge's trial was stopped");
    end = { state: "stopped", says: asAppError(error).message };
  } finally {
    clearInterval(pulse);
    signal.removeEventListener("abort", stop);
    await rows.end(db.pool, workspaceId, id, end?.state ?? "finished", end?.says ?? "");
    bus.tell(workspaceId, ["prompts", "judges"]);
  }
}

/** Null when everything was asked. */
async function askAll(world: TrialWorld, trial: PlannedTrial, abort: AbortController): Promise<End | null> {
  const { db, bus } = world;
  const { workspaceId, id } = trial;
  const waiting = (await rows.listCalls(db.pool, workspaceId, [id])).filter((call) => call.asked_at === null).reverse();
  const masking = await findMasking(db.pool, workspaceId);
  const under = new Set<Promise<void>>();
  let end: End | null = null;
  // True when there was no room: no further question until an answer releases some.
  let isTight = false;

  async function one(call: rows.TrialCallRow): Promise<void> {
    const { asked, room } = await ask(world, trial, call, abort.signal);
    if (room !== null) {
      // Questions under way may release a part of their reservations.
      waiting.push(call);
      if (under.size > 1) isTight = true;
      else end ??= room;
      return;
    }
    const { place, repeat } = call;
    const kept = {
      ...asked,
      reason: masking.text(asked.reason),
      reply: asked.reply === null ? null : masking.text(asked.reply),
    };
    if (await rows.recordAnswer(db.pool, workspaceId, { trialId: id, place, repeat }, kept)) abort.abort("canceled");
    isTight = false;
    bus.tell(workspaceId, ["prompts"]);
  }

  while (end === null && !abort.signal.aborted && waiting.length + under.size > 0) {
    const hasPlace = under.size < AT_A_TIME && !(isTight && under.size > 0);
    const call = hasPlace ? waiting.pop() : undefined;
    if (call) {
      const asking: Promise<void> = one(call).finally(() => under.delete(asking));
      under.add(asking);
      // Awaited below, or at the end; the handler only prevents an unhandled rejection.
      asking.catch(() => undefined);
      if (under.size < AT_A_TIME && waiting.length > 0) continue;
    }
    await Promise.race(under);
  }
  await Promise.all(under);
  if (end !== null) return end;
  if (!abort.signal.aborted) return null;
  return abort.signal.reason === "stopped"
    ? { state: "stopped", says: "The server was stopped. Completed answers are kept." }
    : { state: "canceled", says: "" };
}

/** `room`: the question was not asked, because the budget was used up. */
async function ask(
  { db, models }: TrialWorld,
  { workspaceId, id, day, text, settings }: PlannedTrial,
  call: rows.TrialCallRow,
  signal: AbortSignal,
): Promise<{ readonly asked: rows.Asked; readonly room: End | null }> {
  const { timeoutSeconds, budget } = settings;
  let spent: "budget" | "cap" | null = null;
  const client = models.clientOf(workspaceId, {
    account: `trial ${id}`,
    day,
    callsPerDay: BigInt(budget.calls),
    nanoPerDay: budget.nano,
    spent: (where) => {
      spent = where;
    },
  });
  const key = { occurredAt: call.occurred_at, id: call.dispatch_id };
  const input = await inputOf(db.pool, workspaceId, key).catch((error: unknown) => {
    if (asAppError(error).code === "dispatch_not_found") return null;
    throw error;
  });
  if (!input) return { asked: forgotten, room: null };
  const asked = await askRecorded(client, text, { event: call.event, input }, timeoutSeconds, signal);
  return { asked, room: asked.cause === "over_budget" ? endOf(spent, asked.reason) : null };
}

function endOf(spent: "budget" | "cap" | null, reason: string): End {
  if (spent === "budget")
    return { state: "spent", says: "The budget has no room for another question at its maximum cost." };
  return { state: "stopped", says: reason };
}
