/**
 * Reads compactions: each attempt as one object, from the decision to compact to the summary that replaced the context.
 */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { AppError } from "../errors/app-error.ts";
import type { Clock } from "../platform/clock.ts";
import { systemClock } from "../platform/clock.ts";
import type { Database } from "../platform/db.ts";
import type { EventKey } from "../recording/event-key-schema.ts";
import { pgText } from "../recording/index.ts";
import { storedHooks } from "../recording/schema.ts";
import { attemptFigures } from "./attempt-figures.ts";
import { type CompactionRow, firstAttemptRows, splitIntoAttempts, summaryOf, toAttemptView } from "./attempts.ts";
import * as records from "./joined-record-repository.ts";
import * as compactions from "./repository.ts";
import type {
  AttemptDetailView,
  AttemptView,
  CompactionFilter,
  CompactionRange,
  CompactionStepView,
  CompactionSummaryView,
  CompactionsView,
  ListCompactions,
} from "./schema.ts";

const COUNTED_MAX = 2_000;
const CHUNK = 200;
/** A filter with few matches reads this many chunks before it returns the page with the matches found. */
const CHUNKS_MAX = 10;
const SESSION_EVENTS_MAX = 3_000;
const JSON_CHARACTERS_MAX = 256 * 1024;
const EARLIEST = new Date(Date.UTC(2000, 0, 1));
const LATEST = new Date(Date.UTC(2200, 0, 1));

/** Figures over the attempts that pass every filter, of the newest 2,000 that the filters by names leave. */
export async function summariseAttempts(
  db: Database,
  workspaceId: string,
  input: CompactionFilter,
  clock: Clock = systemClock,
): Promise<CompactionSummaryView> {
  const bounds = bounded(input);
  const wanted = { ...namedIn(input), cursor: null, limit: COUNTED_MAX + 1, withTexts: input.text !== "" };
  const attempts = folded(await compactions.listAttemptRows(db, workspaceId, bounds, wanted), clock.now());
  const counted = attempts.slice(0, COUNTED_MAX).filter((attempt) => passes(attempt, input));
  return { ...bounds, ...attemptFigures(counted), isCut: attempts.length > COUNTED_MAX };
}

/** The filters that the database applies. */
const namedIn = ({ agents, sessions, models, after, lost }: CompactionFilter) => ({
  ...{ agents: agents.map(pgText), sessions: sessions.map(pgText), models: models.map(pgText) },
  ...{ after, lost },
});

/** Attempts that pass every filter, the newest first. */
export async function listAttempts(
  db: Database,
  workspaceId: string,
  input: ListCompactions,
  clock: Clock = systemClock,
): Promise<CompactionsView> {
  const { limit } = input;
  const kept: AttemptView[] = [];
  let cursor = input.cursor ?? null;
  for (let chunk = 0; chunk < CHUNKS_MAX; chunk += 1) {
    const wanted = { ...namedIn(input), cursor, limit: CHUNK, withTexts: true };
    const attempts = folded(await compactions.listAttemptRows(db, workspaceId, bounded(input), wanted), clock.now());
    kept.push(...attempts.filter((attempt) => passes(attempt, input)));
    const last = kept[limit - 1];
    if (last && kept.length > limit) return page(db, workspaceId, kept.slice(0, limit), keyOf(last));
    const end = attempts.at(-1);
    if (!end || attempts.length < CHUNK) return page(db, workspaceId, kept, null);
    cursor = keyOf(end);
  }
  return page(db, workspaceId, kept, cursor);
}

async function page(
  db: Database,
  workspaceId: string,
  attempts: readonly AttemptView[],
  next: EventKey | null,
): Promise<CompactionsView> {
  const joined = await records.listRecordBriefs(db.pool, workspaceId, attempts.map(keyOf));
  return { attempts: attempts.map((attempt) => ({ ...attempt, joined: joined.get(attempt.id) ?? null })), next };
}

/** One attempt with its dispatches, its summary and its place in the session. Errors: `dispatch_not_found`. */
export async function getAttempt(
  db: Database,
  workspaceId: string,
  key: EventKey,
  clock: Clock = systemClock,
): Promise<AttemptDetailView> {
  const rows = await compactions.listSessionRowsByEvent(db, workspaceId, key, SESSION_EVENTS_MAX);
  const runs = splitIntoAttempts(rows);
  const at = runs.findIndex((run) => run.some((row) => row.dispatch_id === key.id));
  const run = runs[at];
  if (!run) throw new AppError("dispatch_not_found", key.id);
  const steps = await compactions.listAttemptSteps(db, workspaceId, run.map(keyOfRow));
  const textOf = (effect: string) => steps.find((step) => step.effect === effect)?.effect_text ?? null;
  const [previous, next] = [runs[at - 1], runs[at + 1]];
  return {
    ...toAttemptView(run, clock.now()),
    steps: steps.map(stepOf),
    summary: summaryOf(steps),
    replacedBy: textOf("replaced"),
    steeredBy: textOf("steered"),
    ordinal: at + 1,
    ofSession: runs.length,
    previous: previous ? keyOfRow(previous[0]) : null,
    next: next ? keyOfRow(next[0]) : null,
  };
}

function folded(rows: readonly compactions.FollowingRow[], nowMs: number): AttemptView[] {
  const byStart = new Map<string, CompactionRow[]>();
  for (const row of rows) {
    const own = byStart.get(row.at);
    if (own) own.push(row);
    else byStart.set(row.at, [row]);
  }
  return [...byStart.values()].flatMap((following) => {
    const [first, ...rest] = firstAttemptRows(following);
    return first ? [toAttemptView([first, ...rest], nowMs)] : [];
  });
}

function passes(attempt: AttemptView, { reasons, outcomes, hooks, text }: CompactionFilter): boolean {
  const { reason, outcome, interventions, agentName, sessionId, summaryStart, vetoedBecause } = attempt;
  const isIn = <T>(chosen: readonly T[], value: T) => chosen.length === 0 || chosen.includes(value);
  const haystack = `${agentName} ${sessionId} ${reason} ${vetoedBecause ?? ""} ${summaryStart ?? ""}`.toLowerCase();
  return (
    isIn(reasons, reason) &&
    isIn(outcomes, outcome) &&
    (hooks.length === 0 || hooks.some((hook) => interventions.includes(hook))) &&
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => haystack.includes(word))
  );
}

function stepOf(row: compactions.StepRow): CompactionStepView {
  const hooks = storedHooks.parse(JSON.parse(row.hooks));
  return {
    id: row.dispatch_id,
    occurredAt: row.occurred_at,
    event: row.event,
    effect: row.effect,
    effectText: row.effect_text,
    origin: row.origin,
    revision: row.revision,
    durationUs: row.duration_us,
    hooks: hooks.map((hook) => ({ ...hook, failure: hook.failure ?? null, exitCode: hook.exitCode ?? null })),
    input: truncateText(row.input, JSON_CHARACTERS_MAX, ""),
    answer: truncateText(row.answer, JSON_CHARACTERS_MAX, ""),
  };
}

const keyOf = ({ occurredAt, id }: AttemptView): EventKey => ({ occurredAt, id });
const keyOfRow = (row: CompactionRow): EventKey => ({ occurredAt: row.occurred_at, id: row.dispatch_id });

/** PostgreSQL and JavaScript disagree about the ends of time; nothing was recorded beyond these. */
function bounded({ from, to }: CompactionRange): CompactionRange {
  const within = (at: Date) => (at < EARLIEST ? EARLIEST : at > LATEST ? LATEST : at);
  return { from: within(from), to: within(to) };
}
