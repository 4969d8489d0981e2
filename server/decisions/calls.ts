/** The list of calls: the list of decisions, grouped by call. */
import { listRequestsByNumber } from "../approvals/index.ts";
import { findMarks, followUpIdOf } from "../follow-ups/index.ts";
import type { Database } from "../platform/db.ts";
import { ticketNumberOf } from "./call-outcome-schema.ts";
import * as stored from "./calls-repository.ts";
import { pairResults } from "./calls-without-id/pair-results.ts";
import { listUnnamedEvents } from "./calls-without-id/repository.ts";
import { heldCalls } from "./held-calls.ts";
import type { CountDecisionsInput, DecisionView, ListDecisions } from "./schema.ts";
import {
  CALL_FACETS,
  type CallDecision,
  type CallFacet,
  type CallFacets,
  type CallPage,
  type CallRequest,
  type CallView,
  COUNTED_DECISIONS_MAX,
} from "./schema.ts";
import { asStored, list, viewOf } from "./service.ts";

/**
 * The number of decision pages read for one page of calls: late reports may repeat calls whose gate is already listed.
 */
const ROUNDS = 3;

/** One page of calls. The newest page holds the calls that agents hold open too. */
export async function listCallsWithHeld(db: Database, workspaceId: string, asked: ListDecisions): Promise<CallPage> {
  const page = await listCalls(db, workspaceId, asked);
  const holdsNewest = asked.order === "newest" ? !asked.cursor : page.nextCursor === null;
  if (!holdsNewest) return page;
  const held = await heldCalls(db, workspaceId, asked);
  if (held.length === 0) return page;
  const sign = asked.order === "newest" ? -1 : 1;
  const rows = [...page.rows, ...held].sort((a, b) => sign * (a.occurredAt.getTime() - b.occurredAt.getTime()));
  return { ...page, rows };
}

/**
 * The calls of the record. A call has the position of its earliest matching decision in either order. It keeps that position
 * when more decisions follow, and no page repeats it.
 */
export async function listCalls(db: Database, workspaceId: string, asked: ListDecisions): Promise<CallPage> {
  const rows: CallView[] = [];
  let cursor = asked.cursor;
  for (let round = 1; ; round += 1) {
    const page = await list(db, workspaceId, { ...asked, cursor });
    rows.push(...(await asCalls(db, workspaceId, asked, page.rows)));
    cursor = page.nextCursor;
    if (cursor === null || page.searched !== null || rows.length * 2 >= asked.limit || round === ROUNDS)
      return { rows, nextCursor: cursor, searched: page.searched };
  }
}

type Of = Pick<ListDecisions, "range" | "filters">;

async function asCalls(
  { pool }: Database,
  workspaceId: string,
  { range, filters }: Of,
  rows: readonly DecisionView[],
): Promise<CallView[]> {
  const named = rows.flatMap((row) =>
    row.toolUseId === null ? [] : [{ row, key: { ...row, toolUseId: row.toolUseId } }],
  );
  const keys = named.map(({ key }) => ({ ...key, at: key.occurredAt }));
  const unnamed = rows.flatMap((row) =>
    row.toolUseId === null && row.tool !== null && row.sessionId !== ""
      ? [{ ...row, tool: row.tool, at: row.occurredAt }]
      : [],
  );
  const [chains, ran, unnamedEvents] = await Promise.all([
    keys.length === 0 ? [] : stored.listChains(pool, workspaceId, keys, range, asStored(filters)),
    keys.length === 0 ? [] : stored.listRan(pool, workspaceId, keys),
    listUnnamedEvents(pool, workspaceId, unnamed),
  ]);
  const chainByPlace = new Map<number, stored.ChainRow[]>();
  for (const each of chains) chainByPlace.set(each.place, [...(chainByPlace.get(each.place) ?? []), each]);
  const endByPlace = new Map(ran.map(({ place, tool_error }) => [place, endOf(tool_error)] as const));
  const resultById = pairResults(unnamedEvents);
  const placeByRow = new Map(named.map(({ row }, index) => [row, index + 1]));
  const [requests, marks] = await Promise.all([
    requestsOf(pool, workspaceId, [...rows, ...chains]),
    findMarks(pool, workspaceId, rows.map(followUpIdOf)),
  ]);
  return rows.flatMap((row) => {
    const place = placeByRow.get(row);
    const chain = place === undefined ? [] : (chainByPlace.get(place) ?? []);
    if (chain.some((each) => each.matches && isBefore(each, row))) return [];
    const ofRow = chain.length === 0 ? [row] : chain.map(viewOf);
    const result = resultById.get(row.id);
    const end = place === undefined ? result && endOf(result.isError) : endByPlace.get(place);
    const number = ofRow.map(({ reason }) => ticketNumberOf(reason)).find((one) => one !== null);
    const request = (number !== undefined && requests.get(number)) || null;
    return [
      {
        ...row,
        chain: ofRow.map(decisionOf),
        request,
        isRecorded: true,
        ran: end ?? null,
        isRanByOrder: result?.isByOrder === true,
        followUp: marks.get(followUpIdOf(row)) ?? null,
      },
    ];
  });
}

const endOf = (isError: boolean | null) => (isError ? "failed" : "succeeded");

/** The requests by which people were asked about calls that were denied until they answer, by number. */
async function requestsOf(
  pool: Database["pool"],
  workspaceId: string,
  decided: readonly { readonly reason: string }[],
): Promise<ReadonlyMap<number, CallRequest>> {
  const numbers = new Set(decided.flatMap(({ reason }) => ticketNumberOf(reason) ?? []));
  const found = await listRequestsByNumber(pool, workspaceId, [...numbers]);
  return new Map(found.map(({ names, ...one }) => [one.number, { ...one, names: [...names] }]));
}

function isBefore(one: stored.ChainRow, { occurredAt, id }: DecisionView): boolean {
  const gap = one.occurred_at.getTime() - occurredAt.getTime();
  return gap < 0 || (gap === 0 && one.dispatch_id < id);
}

const decisionOf = ({ occurredAt, id, kind, event, verdict, source, reason }: DecisionView): CallDecision => ({
  occurredAt,
  id,
  kind,
  event,
  verdict,
  source,
  reason,
});

const VALUES_MAX = 60;

/** The counts of calls by each field's values, among the newest decisions of the range. */
export async function callFacets(
  db: Database,
  workspaceId: string,
  { range, filters }: CountDecisionsInput,
): Promise<CallFacets> {
  const limits = { rowsMax: COUNTED_DECISIONS_MAX, valuesMax: VALUES_MAX };
  const rows = await stored.listFacets(db.pool, workspaceId, range, asStored(filters), limits);
  const countOf = (facet: string) => rows.find((row) => row.facet === facet)?.count ?? 0;
  const valuesOf = (facet: CallFacet) =>
    rows.filter((row) => row.facet === facet).map(({ value, count }) => ({ value, count }));
  return {
    calls: countOf("calls"),
    isWhole: countOf("read") < COUNTED_DECISIONS_MAX,
    values: Object.fromEntries(CALL_FACETS.map((facet) => [facet, valuesOf(facet)])) as CallFacets["values"], // holds: all of them
  };
}
