/** The known calls of a judge as its page reads them. */
import { AppError } from "../../errors/app-error.ts";
import type { Database } from "../../platform/db.ts";
import { checkAnswer } from "../check-rows.ts";
import * as prompts from "../repository.ts";
import { expectations } from "../revision-figures.ts";
import { decisionOf } from "../schema.ts";
import * as calls from "./call-rows.ts";
import { flipsOf } from "./result.ts";
import { findRevisionInForce } from "./revision-in-force.ts";
import * as runs from "./run-rows.ts";
import {
  DEFAULT_WATCH,
  KNOWN_CALLS_MAX,
  type KnownCallsView,
  type KnownCallView,
  type KnownRunView,
  type WatchSettings,
} from "./schema.ts";
import * as watches from "./watch-rows.ts";

const RUNS_MAX = 200;

/** Errors: `prompt_not_found`. */
export async function knownCalls(db: Database, workspaceId: string, promptId: string): Promise<KnownCallsView> {
  const { pool } = db;
  const prompt = await prompts.find(db.prisma, workspaceId, promptId);
  if (!prompt) throw new AppError("prompt_not_found", promptId);
  const newest = { sha256: null, limit: 1 };
  const [rows, past, [last], watch, text, labels, timeZone] = await Promise.all([
    calls.list(pool, workspaceId, promptId, KNOWN_CALLS_MAX),
    runs.list(pool, workspaceId, promptId, RUNS_MAX),
    runs.listFinishedAnswers(pool, workspaceId, promptId, newest),
    watches.find(pool, workspaceId, promptId),
    findRevisionInForce(pool, workspaceId, prompt),
    expectations(db, workspaceId, promptId),
    watches.findZone(pool, workspaceId),
  ]);
  const lastRun = past.find(({ id }) => id === last?.id);
  const twice = lastRun
    ? await runs.listFinishedAnswers(pool, workspaceId, promptId, { sha256: lastRun.sha256, limit: 2 })
    : [];
  const [now = [], before = null] = twice.map(({ answers }) => checkAnswer.array().parse(answers));
  const verdicts = new Map(now.map(({ id, verdict }) => [id, verdict]));
  const flipped = new Set(flipsOf(before, now).flipped);
  const haltedAt = watch?.haltedAt ?? null;
  return {
    calls: rows.map((row) => callView(row, verdicts.get(row.id), flipped.has(row.id))),
    labelled: [...labels.values()].filter((one) => one !== "disputed").length,
    runs: past.map(runView),
    watch: watch === null ? DEFAULT_WATCH : settingsOf(watch),
    timeZone,
    halt: haltedAt && { at: haltedAt, beyond: [...(past.find(({ id }) => id === watch?.haltedByCheck)?.beyond ?? [])] },
    revision: text?.number ?? null,
  };
}

const settingsOf = (row: watches.WatchRow): WatchSettings => ({
  ...{ isOn: row.isOn, minute: row.minute, recallMin: row.recallMin, falseAlarmsMax: row.falseAlarmsMax },
  ...{ flipsMax: row.flipsMax, halts: row.halts, nanoMax: row.nanoMax === null ? null : BigInt(row.nanoMax) },
});

const callView = (row: calls.KnownCallRow, verdict: string | undefined, hasFlipped: boolean): KnownCallView => ({
  ...{ id: row.id, kind: row.kind, event: row.event, tool: row.tool_name, excerpt: row.excerpt, note: row.note },
  ...{ source: row.source, addedBy: row.added_by, addedAt: row.added_at },
  verdict: verdict === undefined ? null : (decisionOf(verdict) ?? "failed"),
  hasFlipped,
});

function runView(row: runs.RunRow): KnownRunView {
  const share = (hits: number, of: number) => (row.state === "finished" && of > 0 ? { hits, of } : null);
  return {
    ...{ id: row.id, cause: row.cause, revision: row.revision, model: row.model, state: row.state, says: row.says },
    ...{ calls: row.calls, asked: row.asked, failed: row.failed },
    recall: share(row.caught, row.harmful),
    falseAlarms: share(row.false_alarms, row.good),
    flips: share(row.flips, row.compared),
    beyond: [...row.beyond],
    spend: { nano: BigInt(row.cost_nano), unpriced: row.unpriced },
    answeredBy: row.answered_by,
    ...{ startedBy: row.started_by, startedAt: row.started_at, nextAt: row.next_at },
  };
}
