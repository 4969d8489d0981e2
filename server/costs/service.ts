/**
 * Reads of the ledger: the spend by model, agent and session, and the calls that no total includes. No amount passes
 * through a float.
 */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { z } from "zod";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import type { EventKey } from "../recording/event-key-schema.ts";
import { chartBucketWidthMs, pgText, rollupRangeOf } from "../recording/index.ts";
import { findTitles } from "../sessions/index.ts";
import { callOf } from "./call.ts";
import { amountOf, forestOf } from "./forest.ts";
import { previousOf } from "./previous.ts";
import { ownPrice } from "./prices/own-price.ts";
import * as costs from "./repository.ts";
import type {
  CallDetailView,
  CallFilters,
  CallsTotalInput,
  CallsTotalView,
  CostBreakdownView,
  CostCallsInput,
  CostCallsView,
  CostPreviousView,
  CostRange,
  CostSeriesInput,
  CostSeriesView,
  CostSummaryView,
  LedgerView,
  SeriesBy,
  SessionCostsInput,
  SessionCostsView,
} from "./schema.ts";

const LINES_MAX = 200;
const SERIES_MAX = 6;
const ACTIVE_SESSIONS_MAX = 500;
const SESSION_ROWS_MAX = 4_000;
const INPUT_CHARACTERS_MAX = 256 * 1024;
const EXCERPT_CHARACTERS_MAX = 16 * 1024;

/** The totals of everything in the range. */
export async function summary(db: Database, workspaceId: string, range: CostRange): Promise<CostSummaryView> {
  const stretch = rollupRangeOf(range);
  const { from, to } = stretch;
  const [rows, beside, extent] = await Promise.all([
    lines(db, workspaceId, range),
    costs.findCorrections(db, workspaceId, stretch),
    costs.findExtent(db, workspaceId),
  ]);
  const before = previousOf(stretch, extent);
  // The page asks for the lines of the stretch before as well: they share one pass.
  const previous = before && totalOf(await lines(db, workspaceId, before));
  return {
    from,
    to,
    ledger: totalOf(rows),
    harness: totalOf(rows, "harness"),
    corrections: { calls: Number(beside.corrected), nano: BigInt(beside.corrected_nano) },
    estimates: { calls: Number(beside.estimated), nano: BigInt(beside.estimated_nano) },
    previous: before &&
      previous && {
        from: before.from,
        to: before.to,
        calls: previous.calls,
        unpriced: previous.unpriced,
        nano: previous.nano,
      },
    models: groupsOf(rows, "model"),
    agents: groupsOf(rows, "agent"),
  };
}

function totalOf(rows: readonly costs.LineRow[], kind: "total" | "harness" = "total"): LedgerView {
  const total = rows.find((row) => row.kind === kind);
  if (!total) throw new AppError("internal", "an aggregate without a row");
  return ledgerOf(total);
}

const groupsOf = (rows: readonly costs.LineRow[], by: SeriesBy): number =>
  rows.reduce((sum, row) => (row.kind === by ? sum + Number(row.groups) : sum), 0);

const underWay = new WeakMap<Database, Map<string, Promise<readonly costs.LineRow[]>>>();

/** The rows of the total and both breakdowns. A page asks for all three at once: they share one pass and instant. */
function lines(db: Database, workspaceId: string, range: CostRange): Promise<readonly costs.LineRow[]> {
  const asked = underWay.get(db) ?? new Map<string, Promise<readonly costs.LineRow[]>>();
  underWay.set(db, asked);
  const stretch = rollupRangeOf(range);
  const key = `${workspaceId} ${stretch.from.getTime()} ${stretch.to.getTime()}`;
  const first = asked.get(key);
  if (first) return first;
  const made = costs.listCostTotals(db, workspaceId, stretch, LINES_MAX).finally(() => asked.delete(key));
  asked.set(key, made);
  return made;
}

/** Spend over time. A range longer than the recorded period is cut to the records. */
export async function series(db: Database, workspaceId: string, input: CostSeriesInput): Promise<CostSeriesView> {
  const whole = rollupRangeOf(input);
  const extent = await costs.findExtent(db, workspaceId);
  const from = extent && extent.first > whole.from ? extent.first : whole.from;
  const lastMs = extent ? extent.last.getTime() + 3_600_000 : whole.to.getTime();
  const isLong = whole.to.getTime() - whole.from.getTime() > LONG_MS;
  const stretch =
    isLong && from < whole.to ? rollupRangeOf({ from, to: new Date(Math.min(lastMs, whole.to.getTime())) }) : whole;
  const bucketMs = chartBucketWidthMs(stretch.to.getTime() - stretch.from.getTime());
  const rows = await costs.listPoints(db, workspaceId, stretch, { by: input.by, bucketMs, limit: SERIES_MAX });
  const points = rows.map(({ at, key, nano, calls, unpriced }) => ({
    at,
    key,
    nano: BigInt(nano),
    calls: Number(calls),
    unpriced: Number(unpriced),
  }));
  return { from: stretch.from, to: stretch.to, bucketMs, keys: keysOf(points), points };
}

/** Longer ranges count as "all time" and are cut to the period with records, to avoid a long empty chart. */
const LONG_MS = 60 * 24 * 3_600_000;

function keysOf(points: readonly { key: string | null; nano: bigint }[]): string[] {
  const sums = new Map<string, bigint>();
  for (const { key, nano } of points) if (key !== null) sums.set(key, (sums.get(key) ?? 0n) + nano);
  return [...sums].sort(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1)).map(([key]) => key);
}

/** The range by model or by agent, the most expensive first. */
export async function breakdown(
  db: Database,
  workspaceId: string,
  range: CostRange,
  by: SeriesBy,
): Promise<CostBreakdownView> {
  return breakdownOf(await lines(db, workspaceId, range), by);
}

/** The equally long stretch right before the range, by model and by agent; null when nothing was recorded before it. */
export async function previous(db: Database, workspaceId: string, range: CostRange): Promise<CostPreviousView> {
  const before = previousOf(rollupRangeOf(range), await costs.findExtent(db, workspaceId));
  if (before === null) return null;
  const rows = await lines(db, workspaceId, before);
  const { from, to } = before;
  return { from, to, models: breakdownOf(rows, "model"), agents: breakdownOf(rows, "agent") };
}

function breakdownOf(all: readonly costs.LineRow[], by: SeriesBy): CostBreakdownView {
  const rows = all.filter((row) => row.kind === by);
  const rest = rows.find((row) => row.name === null);
  return {
    lines: rows.flatMap((row) => (row.name === null ? [] : [{ name: row.name, ledger: ledgerOf(row) }])),
    rest: rest ? { groups: Number(rest.groups), ledger: ledgerOf(rest) } : null,
  };
}

/** Sessions that were active in the range, over their whole life, sub-sessions below their parents. */
export async function bySession(
  db: Database,
  workspaceId: string,
  input: SessionCostsInput,
): Promise<SessionCostsView> {
  const stretch = rollupRangeOf(input);
  const agents = input.agents.map(pgText);
  const limits = { activeMax: ACTIVE_SESSIONS_MAX, rowsMax: SESSION_ROWS_MAX, agents };
  const [rows, active, sessionless] = await Promise.all([
    costs.listSessionTrees(db, workspaceId, stretch, limits),
    costs.countActive(db, workspaceId, stretch, { limit: ACTIVE_SESSIONS_MAX + 1, agents }),
    costs.findSessionless(db, workspaceId, stretch, agents),
  ]);
  if (!sessionless) throw new AppError("internal", "an aggregate without a row");
  const isCut = active > ACTIVE_SESSIONS_MAX || rows.length >= SESSION_ROWS_MAX;
  const sessions = forestOf(rows);
  const titleOf = await findTitles(db, workspaceId, sessions);
  return {
    sessions: sessions.map((session) => ({ ...session, title: titleOf(session) })),
    isCut,
    withoutSession: amountOf(sessionless),
  };
}

/** Calls one by one, the newest first. */
export async function calls(db: Database, workspaceId: string, input: CostCallsInput): Promise<CostCallsView> {
  const rows = await costs.listCalls(db, workspaceId, rollupRangeOf(input), { ...input, ...storedFilters(input) });
  const page = rows.slice(0, input.limit).map(callOf);
  const last = page.at(-1);
  return { calls: page, next: rows.length > input.limit && last ? { occurredAt: last.occurredAt, id: last.id } : null };
}

/** The total of the calls that the same filters list. */
export async function callsTotal(db: Database, workspaceId: string, input: CallsTotalInput): Promise<CallsTotalView> {
  const row = await costs.sumCalls(db, workspaceId, rollupRangeOf(input), storedFilters(input));
  return { calls: Number(row?.calls ?? 0), unpriced: Number(row?.unpriced ?? 0), nano: BigInt(row?.nano ?? 0) };
}

/** Filters as the texts are stored. */
const storedFilters = ({ models, agents, sessions, persons, pricings, makers, text }: CallFilters): CallFilters => ({
  models: models.map(pgText),
  agents: agents.map(pgText),
  sessions: sessions.map(pgText),
  persons,
  pricings,
  makers,
  text: pgText(text),
});

/** One call with the model's output. Errors: `dispatch_not_found`. */
export async function call(db: Database, workspaceId: string, key: EventKey): Promise<CallDetailView> {
  const row = await costs.findCall(db, workspaceId, key);
  if (!row) throw new AppError("dispatch_not_found", key.id);
  const found = callOf(row);
  const { modelId, tokens: usage } = found;
  return {
    ...found,
    ownPrice: found.isClientEstimate ? await ownPrice(db, workspaceId, { modelId, usage }) : null,
    origin: row.origin,
    receivedAt: row.received_at,
    ...spoken(row.input),
    input: truncateText(row.input, INPUT_CHARACTERS_MAX, ""),
    inputBytes: Buffer.byteLength(row.input),
  };
}

const text = z.string().catch("");
const spokenInput = z.object({ stop_response: text, last_user_message: text });

/** The two texts of a stored input; one that is no text (the wire is lenient) is unknown. */
function spoken(inputText: string): { answer: string | null; question: string | null } {
  const input = spokenInput.parse(JSON.parse(inputText));
  const known = (value: string) => (value === "" ? null : truncateText(value, EXCERPT_CHARACTERS_MAX));
  return { answer: known(input.stop_response), question: known(input.last_user_message) };
}

function ledgerOf(row: costs.LedgerRow): LedgerView {
  const [priced, free, unpriced] = [Number(row.priced), Number(row.free), Number(row.unpriced)];
  return {
    calls: priced + free + unpriced,
    priced,
    free,
    unpriced,
    withoutUsage: Number(row.without_usage),
    nano: BigInt(row.nano),
    tokens: {
      input: BigInt(row.input),
      cachedInput: BigInt(row.cached_input),
      cachedWrite: BigInt(row.cached_write),
      output: BigInt(row.output),
      reasoning: BigInt(row.reasoning),
    },
  };
}
