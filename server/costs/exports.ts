/** Cost exports, streamed as bounded parts of text, so that only one part is in memory. Amounts keep every digit. */

import { csvLines, jsonObject, type Row } from "../platform/csv.ts";
import type { Database } from "../platform/db.ts";
import { listPrincipalNames } from "../principals/index.ts";
import { CLIENT_ESTIMATE, formatUsd, pgText, rollupRangeOf } from "../recording/index.ts";
import { callOf } from "./call.ts";
import { pivot } from "./pivot.ts";
import * as pivots from "./pivot-repository.ts";
import * as costs from "./repository.ts";
import {
  type CallsExportInput,
  type CallView,
  type CompactionSpendView,
  type CostRange,
  type ExportFormat,
  type ExportPartView,
  type FiguresView,
  isHarness,
  type PivotExportInput,
} from "./schema.ts";

const PART_ROWS = 2_000;

/** A part of the calls, the newest first; the first has the header of a CSV. JSON is one object a line. */
export async function exportCalls(
  db: Database,
  workspaceId: string,
  { format, ...input }: CallsExportInput,
): Promise<ExportPartView> {
  const rows = await costs.listCalls(db, workspaceId, rollupRangeOf(input), {
    ...input,
    models: input.models.map(pgText),
    agents: input.agents.map(pgText),
    sessions: input.sessions.map(pgText),
    text: pgText(input.text),
    limit: PART_ROWS,
  });
  const part = rows.slice(0, PART_ROWS);
  const last = part.at(-1);
  const people = await listPrincipalNames(db.pool, workspaceId, idsOf(part.map(({ principal_id }) => principal_id)));
  return {
    text: textOf(
      part.map((row) => callRow(callOf(row), people)),
      format,
      !input.cursor,
    ),
    rows: part.length,
    next: rows.length > PART_ROWS && last ? { occurredAt: last.occurred_at, id: last.dispatch_id } : null,
  };
}

/** The breakdown as one file: a row for each line and, where it was split, for each part of it. */
export async function exportPivot(
  db: Database,
  workspaceId: string,
  { format, ...input }: PivotExportInput,
): Promise<ExportPartView> {
  const { lines } = await pivot(db, workspaceId, input);
  const { by, split } = input;
  const parted = lines.flatMap(({ parts }) => parts);
  const ids = [...(by === "person" ? lines : []), ...(split === "person" ? parted : [])].map(({ name }) => name);
  const people = await listPrincipalNames(db.pool, workspaceId, idsOf(ids));
  const nameOf = (dimension: typeof split, name: string | null) =>
    dimension === "person" && name !== null ? personName(people, name) : name;
  const rows = lines.flatMap(({ parts, ...line }) =>
    parts.length === 0
      ? [pivotRow(input, nameOf(by, line.name), null, line)]
      : parts.map((part) => pivotRow(input, nameOf(by, line.name), nameOf(split, part.name), part)),
  );
  return { text: textOf(rows, format, true), rows: rows.length, next: null };
}

function textOf(rows: readonly Row[], format: ExportFormat, isFirst: boolean): string {
  if (format === "json") return rows.map((row) => `${jsonObject(row)}\n`).join("");
  const header = isFirst && rows[0] ? [rows[0].map(([column]) => column)] : [];
  return csvLines([...header, ...rows.map((row) => row.map(([, cell]) => cell))]);
}

const usd = (nano: bigint): string => (nano < 0n ? `-${formatUsd(-nano)}` : formatUsd(nano));

type People = ReadonlyMap<string, string>;
const idsOf = (ids: readonly (string | null)[]): string[] => [...new Set(ids.flatMap((id) => id || []))];
const personName = (people: People, id: string): string => (id === "" ? "unknown person" : (people.get(id) ?? id));

const callRow = (call: CallView, people: People): Row => [
  ["occurred_at", call.occurredAt],
  ["dispatch_id", call.id],
  ["agent", call.agentName],
  ["person", personName(people, call.principal?.id ?? "")],
  ["person_certainty", call.principal?.certainty ?? null],
  ["session", call.sessionId],
  ["model", call.modelId],
  ["pricing", call.pricing],
  ["reported_usd", call.usd],
  ["cost_source", call.isClientEstimate ? CLIENT_ESTIMATE : null],
  ["corrected_usd", call.corrected === null ? null : usd(call.corrected)],
  ["estimated_usd", call.estimated === null ? null : usd(call.estimated)],
  ["input_tokens", call.tokens.input],
  ["cached_input_tokens", call.tokens.cachedInput],
  ["cached_write_tokens", call.tokens.cachedWrite],
  ["output_tokens", call.tokens.output],
  ["reasoning_tokens", call.tokens.reasoning],
  ["made_by", call.modelId === "" ? null : isHarness(call.modelId) ? "harness" : "provider"],
];

const REST = "(all others)";
function pivotRow(
  { by, split }: PivotExportInput | Omit<PivotExportInput, "format">,
  a: string | null,
  b: string | null,
  of: FiguresView,
): Row {
  const { ledger, corrections, estimates, previous } = of;
  const { calls, priced, free, unpriced, nano, tokens } = ledger;
  const hasUsage = ledger.withoutUsage < calls;
  return [
    [by, a ?? REST],
    ...(split === null ? [] : [[split, b ?? REST] as const]),
    ["calls", calls],
    ["priced", priced],
    ["free", free],
    ["unpriced", unpriced],
    // A sum that speaks for no call is unknown.
    ["reported_usd", calls === unpriced ? null : usd(nano)],
    ["of_it_corrections_usd", corrections.calls === 0 ? null : usd(corrections.nano)],
    ["estimated_calls", estimates.calls],
    ["estimated_usd", estimates.calls === 0 ? null : usd(estimates.nano)],
    ["input_tokens", hasUsage ? tokens.input : null],
    ["cached_input_tokens", hasUsage ? tokens.cachedInput : null],
    ["cached_write_tokens", hasUsage ? tokens.cachedWrite : null],
    ["output_tokens", hasUsage ? tokens.output : null],
    ["previous_usd", previous === null || previous.calls === previous.unpriced ? null : usd(previous.nano)],
  ];
}

/** The compactions and their tokens, because no hook receives the cost of their model calls. */
export async function compactionSpend(
  db: Database,
  workspaceId: string,
  range: CostRange,
): Promise<CompactionSpendView> {
  const row = await pivots.findCompactions(db, workspaceId, rollupRangeOf(range));
  const [applied, supplied] = [Number(row.applied), Number(row.supplied)];
  return {
    applied,
    supplied: Math.min(supplied, applied),
    tokensBefore: BigInt(row.before),
    untold: Number(row.untold),
  };
}
