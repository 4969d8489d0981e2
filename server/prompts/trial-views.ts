/** The views of trials that the pages read. */
import type { Administrator } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { excerptsOf } from "./call-excerpts.ts";
import * as labelRows from "./label-rows.ts";
import { type Answer, type Expected, flipsOf, latencyOf, spendOf } from "./measures.ts";
import { expectations, recordedCallKey, trialAnswer } from "./revision-figures.ts";
import type { TrialCallView, TrialDetailView, TrialView } from "./schema.ts";
import * as rows from "./trial-rows.ts";

const TRIALS_MAX = 50;
const LABELS_MAX = 20_000;

/** The newest first. */
export async function trials(db: Database, workspaceId: string, promptId: string): Promise<TrialView[]> {
  const found = await rows.list(db.pool, workspaceId, promptId, TRIALS_MAX);
  const calls = await rows.listCalls(
    db.pool,
    workspaceId,
    found.map(({ id }) => id),
  );
  const byTrial = new Map<string, rows.TrialCallRow[]>();
  for (const call of calls) {
    const known = byTrial.get(call.trial_id);
    if (known) known.push(call);
    else byTrial.set(call.trial_id, [call]);
  }
  return found.map((row) => trialOf(row, byTrial.get(row.id) ?? []));
}

/** One trial with every question. Errors: `trial_not_found`. */
export async function trial(db: Database, actor: Administrator, trialId: string): Promise<TrialDetailView> {
  const { workspaceId } = actor;
  const row = await rows.find(db.pool, workspaceId, trialId);
  if (!row) throw new AppError("trial_not_found", trialId);
  const [calls, expected, labels] = await Promise.all([
    rows.listCalls(db.pool, workspaceId, [trialId]),
    expectations(db, workspaceId, row.prompt_id),
    labelRows.listOfPrompt(db.pool, workspaceId, row.prompt_id, LABELS_MAX),
  ]);
  const excerpts = await excerptsOf(db.pool, workspaceId, calls);
  const mine = new Map(labels.filter((one) => one.person_id === actor.id).map((one) => [one.subject, one]));
  const { template, model, schema } = row;
  return {
    trial: trialOf(row, calls),
    text: { template, model, schema },
    calls: calls.map((call) =>
      callOf(call, mine.get(`trial ${trialId}.${call.place}.${call.repeat}`), { expected, excerpts }),
    ),
  };
}

/** Errors: `trial_not_found`. */
export async function trialWithCalls(
  db: Database,
  workspaceId: string,
  trialId: string,
): Promise<{ readonly view: TrialView; readonly calls: readonly rows.TrialCallRow[] }> {
  const row = await rows.find(db.pool, workspaceId, trialId);
  if (!row) throw new AppError("trial_not_found", trialId);
  const calls = await rows.listCalls(db.pool, workspaceId, [trialId]);
  return { view: trialOf(row, calls), calls };
}

function trialOf(row: rows.TrialRow, calls: readonly rows.TrialCallRow[]): TrialView {
  const answers = calls.map(trialAnswer).filter((answer): answer is Answer => answer !== null);
  const asked = calls.filter((call) => call.verdict !== null);
  return {
    id: row.id,
    promptId: row.prompt_id,
    revision: row.revision,
    model: row.model,
    sha256: row.sha256,
    repeats: row.repeats,
    budget: { calls: row.calls_max, nano: row.nano_max === null ? null : BigInt(row.nano_max) },
    state: row.state === "running" && row.is_silent ? "interrupted" : row.state,
    says: row.says,
    startedBy: row.started_by,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    calls: new Set(calls.map(({ place }) => place)).size,
    planned: calls.length,
    asked: asked.length,
    failed: asked.filter(({ verdict }) => verdict === "failed").length,
    verdicts: tally(asked, ({ verdict }) => verdict ?? "").map(([verdict, times]) => ({ verdict, answers: times })),
    failures: tally(asked, ({ cause }) => cause).map(([cause, times]) => ({ cause, answers: times })),
    latency: latencyOf(answers),
    spend: spendOf(answers),
    flips: flipsOf(answers),
  };
}

/** The number of occurrences of each word, the most frequent first; "" is ignored. */
function tally<T>(all: readonly T[], wordOf: (one: T) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(wordOf(one), (counts.get(wordOf(one)) ?? 0) + 1);
  counts.delete("");
  return [...counts].sort(([, a], [, b]) => b - a);
}

const numberOf = (digits: string | null): number | null => (digits === null ? null : Number(digits));

function callOf(
  row: rows.TrialCallRow,
  mine: labelRows.LabelRow | undefined,
  {
    expected,
    excerpts,
  }: { readonly expected: ReadonlyMap<string, Expected>; readonly excerpts: ReadonlyMap<string, string> },
): TrialCallView {
  return {
    occurredAt: row.occurred_at,
    id: row.dispatch_id,
    place: row.place,
    repeat: row.repeat,
    event: row.event,
    tool: row.tool_name,
    agentName: row.agent_name,
    excerpt: excerpts.get(recordedCallKey(row)) ?? null,
    verdict: row.verdict,
    cause: row.cause === "" ? null : row.cause,
    reason: row.reason,
    latencyMs: row.latency_ms,
    inputTokens: numberOf(row.input_tokens),
    outputTokens: numberOf(row.output_tokens),
    pricing: row.pricing,
    nano: row.cost_nano === null ? null : BigInt(row.cost_nano),
    mine: mine ? { word: mine.word, expected: mine.expected, note: mine.note } : null,
    expected: expected.get(recordedCallKey(row)) ?? null,
  };
}
