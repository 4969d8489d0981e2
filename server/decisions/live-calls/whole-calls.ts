/** Changed calls with all that a list shows of them, read as the list reads them. */
import { listRequestsByNumber } from "../../approvals/index.ts";
import { findMarks, followUpIdOf } from "../../follow-ups/index.ts";
import type { Pool } from "../../platform/db.ts";
import { ticketNumberOf } from "../call-outcome-schema.ts";
import { type CallKey, listRan } from "../calls-repository.ts";
import type { DecisionRow } from "../repository.ts";
import type { DecisionView } from "../schema.ts";
import { viewOf } from "../service.ts";
import type { FilteredCall } from "./call-filter.ts";
import { type ChangeRow, listWhole, OF_CALL_MAX } from "./repository.ts";
import { callNameOf, type LiveCall } from "./schema.ts";

export interface WholeCall extends Omit<LiveCall, "matching">, FilteredCall {
  readonly name: string;
  readonly decisions: DecisionView[];
}

export interface ChangedCalls {
  readonly calls: readonly WholeCall[];
  /** False if more calls have changed, whose rows depend on others: the list has to be read again. */
  readonly isWhole: boolean;
}

const DAY_MS = 86_400_000;
/** Lists read from one day before a decision to seven days after it. A call within a day is the same in all of them. */
const CALL_MS_MAX = DAY_MS;
const RESULT_MS_MAX = 7 * DAY_MS;

interface Touched {
  readonly key: CallKey;
  readonly enrolledName: string | null;
  readonly results: Date[];
}

/** In the scope of the workspace. Errors: those of PostgreSQL. */
export async function readChangedCalls(
  pool: Pool,
  workspaceId: string,
  changes: readonly ChangeRow[],
): Promise<ChangedCalls> {
  const touched = touchedCalls(changes);
  const withoutId = changes.filter(({ of_call }) => of_call === null);
  // A client without call ids: equal calls share their results in order.
  const alone = withoutId.filter(({ of_session, tool }) => of_session === "" || tool === null);
  const decided = await readDecided(pool, workspaceId, touched);
  const short = decided.filter(isShort);
  const unnamed = alone.flatMap((row): Bare[] =>
    isDecision(row) ? [{ decisions: [viewOf(row)], enrolledName: row.enrolled_name, ran: null }] : [],
  );
  const [ends, mark] = await Promise.all([
    findEnds(pool, workspaceId, short),
    findMarksOf(pool, workspaceId, [...short, ...unnamed]),
  ]);
  const named = short.map(({ decisions, enrolledName }, index): Bare => {
    return { decisions, enrolledName, ran: ends.get(index + 1) ?? null };
  });
  const isWhole = short.length === decided.length && alone.length === withoutId.length;
  return { calls: [...named, ...unnamed].flatMap(mark), isWhole };
}

const isDecision = (row: ChangeRow): row is ChangeRow & DecisionRow => typeof row.kind === "string";

function touchedCalls(changes: readonly ChangeRow[]): readonly Touched[] {
  const byName = new Map<string, Touched>();
  for (const { id, at, of_agent: agentId, of_session: sessionId, of_call: toolUseId, ...row } of changes) {
    if (id === null || toolUseId === null) continue;
    const name = callNameOf({ id, agentId, sessionId, toolUseId });
    const key = { agentId, sessionId, toolUseId, at };
    const known = byName.get(name) ?? { key, enrolledName: row.enrolled_name, results: [] };
    byName.set(name, known);
    if (row.is_result) known.results.push(at);
  }
  return [...byName.values()];
}

interface Bare extends FilteredCall {
  readonly decisions: DecisionView[];
  readonly ran: LiveCall["ran"];
}

type Decided = Touched & { readonly first: DecisionView; readonly decisions: DecisionView[] };

/** The calls among those touched that have a decision. */
async function readDecided(pool: Pool, workspaceId: string, touched: readonly Touched[]): Promise<Decided[]> {
  if (touched.length === 0) return [];
  const byPlace = new Map<number, DecisionView[]>();
  const rows = await listWhole(
    pool,
    workspaceId,
    touched.map(({ key }) => key),
  );
  for (const row of rows) byPlace.set(row.place, [...(byPlace.get(row.place) ?? []), viewOf(row)]);
  return touched.flatMap((one, index) => {
    const [first, ...later] = byPlace.get(index + 1) ?? [];
    return first === undefined ? [] : [{ ...one, first, decisions: [first, ...later] }];
  });
}

/** The ends of the tools of these calls, by place from one on. */
async function findEnds(pool: Pool, workspaceId: string, decided: readonly Decided[]) {
  const keys = decided.map(({ key, first }) => ({ ...key, at: first.occurredAt }));
  const ran = keys.length === 0 ? [] : await listRan(pool, workspaceId, keys);
  return new Map(ran.map(({ place, tool_error }) => [place, tool_error ? "failed" : "succeeded"] as const));
}

function isShort({ decisions, first, results }: Decided): boolean {
  const [firstMs, lastMs] = [first.occurredAt.getTime(), decisions.at(-1)?.occurredAt.getTime() ?? 0];
  const isFew = (["gate", "final"] as const).every(
    (kind) => decisions.filter((one) => one.kind === kind).length <= OF_CALL_MAX,
  );
  const areNear = results.every((at) => at.getTime() >= lastMs - CALL_MS_MAX && at.getTime() < firstMs + RESULT_MS_MAX);
  return isFew && areNear && lastMs - firstMs < CALL_MS_MAX;
}

/** Requests for an approval and follow-ups of these calls: a function that adds them to one of the calls. */
async function findMarksOf(pool: Pool, workspaceId: string, calls: readonly Pick<Bare, "decisions">[]) {
  const [requests, marks] = await Promise.all([
    listRequestsByNumber(
      pool,
      workspaceId,
      calls.flatMap((call) => numberOf(call) ?? []),
    ),
    findMarks(
      pool,
      workspaceId,
      calls.map(({ decisions: [first] }) => (first === undefined ? "" : followUpIdOf(first))),
    ),
  ]);
  const requestByNumber = new Map(requests.map(({ names, ...one }) => [one.number, { ...one, names: [...names] }]));
  return (call: Bare): WholeCall[] => {
    const [first] = call.decisions;
    if (first === undefined) return [];
    const number = numberOf(call);
    const request = (number !== undefined && requestByNumber.get(number)) || null;
    return [{ ...call, name: callNameOf(first), request, followUp: marks.get(followUpIdOf(first)) ?? null }];
  };
}

const numberOf = ({ decisions }: Pick<Bare, "decisions">) =>
  decisions.map(({ reason }) => ticketNumberOf(reason)).find((one) => one !== null);
