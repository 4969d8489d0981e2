/** Puts the calls of a check to a judge, a few at a time. Without a provider there is no result, and never a score. */
import type { HookInput } from "@quarterdeck/hooks";
import { asAppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import { dayOf, type Models } from "../judges/index.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { askRecorded } from "./ask-recorded.ts";
import * as rows from "./check-rows.ts";
import type { JudgedText } from "./schema.ts";
import { decisionOf } from "./schema.ts";
import type { Asked } from "./trial-rows.ts";

export interface CheckWorld {
  readonly db: Database;
  readonly bus: Bus;
  readonly models: Models;
  readonly log: Log;
}

export interface CheckCall {
  /** Names the call among those of its check. */
  readonly id: string;
  readonly event: string;
  readonly input: HookInput;
}

export interface PlannedCheck {
  readonly workspaceId: string;
  readonly id: string;
  readonly text: JudgedText;
  readonly calls: readonly CheckCall[];
}

const AT_A_TIME = 4;
const TIMEOUT_SECONDS = 60;
const BEAT_MS = 15_000;
/** Causes that are the judge's own answer to the call. Any other cause says nothing about the judge. */
const ANSWERS: readonly string[] = ["refused", "empty", "unparsable", "too_large", "template"];

/** False when the provider gave no answer, which says nothing about the judge. */
export const isJudgesAnswer = ({ verdict, cause }: Pick<Asked, "verdict" | "cause">): boolean =>
  verdict !== "failed" || ANSWERS.includes(cause);

/** Resolves when the row holds the result. Errors: none; a fault ends the check as not run. */
export async function runCheck(world: CheckWorld, check: PlannedCheck, signal: AbortSignal): Promise<void> {
  const { db, bus, log } = world;
  const { workspaceId, id, calls } = check;
  const tally = createTally();
  const waiting = [...calls];
  let problem: string | null = null;

  async function worker(): Promise<void> {
    for (let call = waiting.shift(); call && problem === null && !signal.aborted; call = waiting.shift()) {
      const asked = await ask(world, check, call, signal);
      if (!isJudgesAnswer(asked)) problem ??= asked.reason;
      else tally.add(call.id, asked);
      await rows.save(db.pool, workspaceId, id, tally.counts());
      bus.tell(workspaceId, ["prompts"]);
    }
  }

  const pulse = setInterval(() => {
    void rows.save(db.pool, workspaceId, id, tally.counts()).catch(() => undefined);
  }, BEAT_MS);
  try {
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  } catch (error) {
    log.error({ err: error, check: id }, "a judge's check was stopped");
    problem ??= asAppError(error).message;
  } finally {
    clearInterval(pulse);
  }
  if (signal.aborted) problem ??= "The server was stopped.";
  const end =
    problem === null ? { state: "finished" as const, says: "" } : { state: "not_run" as const, says: problem };
  await rows.save(db.pool, workspaceId, id, tally.counts(), end);
  bus.tell(workspaceId, ["prompts", "judges"]);
}

/** Asks within the connection's own caps; the check's account only counts. */
function ask({ models }: CheckWorld, check: PlannedCheck, call: CheckCall, signal: AbortSignal): Promise<Asked> {
  const client = models.clientOf(check.workspaceId, {
    account: `check ${check.id}`,
    day: dayOf(Date.now()),
    callsPerDay: BigInt(check.calls.length),
    nanoPerDay: null,
    spent: () => undefined,
  });
  return askRecorded(client, check.text, call, TIMEOUT_SECONDS, signal);
}

function createTally() {
  const answers: rows.CheckAnswer[] = [];
  let [failed, caught, unpriced, costNano] = [0, 0, 0, 0n];
  let answeredBy: string | null = null;
  return {
    add(id: string, asked: Asked): void {
      const decision = decisionOf(asked.verdict);
      answers.push({ id, verdict: asked.verdict, cause: asked.cause });
      if (decision === null) failed += 1;
      else if (decision !== "allow") caught += 1;
      if (asked.pricing === "unpriced") unpriced += 1;
      costNano += asked.costNano ?? 0n;
      answeredBy ??= asked.answeredBy;
    },
    counts: (): rows.CheckCounts => ({
      asked: answers.length,
      answers: [...answers],
      ...{ failed, caught, unpriced, costNano, answeredBy },
    }),
  };
}
