/** The calls that a filter finds as CSV, part by part, so that only one part is in memory. */

import { csvLines } from "../platform/csv.ts";
import type { Database } from "../platform/db.ts";
import { listPrincipalNames } from "../principals/index.ts";
import { callOutcomeOf } from "./call-outcome-schema.ts";
import { listCalls } from "./calls.ts";
import type { CallsExportInput, CallsExportPart } from "./calls-export-schema.ts";
import { type CallView, sourceWords } from "./schema.ts";

const PART_CALLS = 500;

/** Present names, by the id that a call was recorded with. */
type People = ReadonlyMap<string, string>;

const COLUMNS = [
  ["occurred_at", (call: CallView) => call.occurredAt],
  ["agent", (call: CallView) => call.agentName],
  [
    "person",
    ({ principal }: CallView, people: People) =>
      principal === null ? "unknown person" : (people.get(principal.id) ?? principal.id),
  ],
  ["person_certainty", (call: CallView) => call.principal?.certainty ?? null],
  ["session", (call: CallView) => call.sessionId],
  ["tool", (call: CallView) => call.tool],
  ["call", (call: CallView) => call.excerpt],
  ["outcome", (call: CallView) => callOutcomeOf(call.chain)],
  [
    "reason",
    (call: CallView) => call.chain.find(({ kind, reason }) => kind === "gate" && reason !== "")?.reason ?? null,
  ],
  ["request", (call: CallView) => (call.request === null ? null : `QD-${call.request.number}`)],
  ["agent_decision", (call: CallView) => finalOf(call)?.verdict ?? null],
  ["agent_decision_source", (call: CallView) => finalOf(call)?.source ?? null],
  ["agent_decision_meaning", (call: CallView) => meaningOf(call)],
  ["result", (call: CallView) => call.ran],
  ["tool_call_id", (call: CallView) => call.toolUseId],
  ["dispatch_id", (call: CallView) => call.id],
] as const;

const finalOf = ({ chain }: CallView) => chain.findLast(({ kind }) => kind === "final");

function meaningOf(call: CallView): string | null {
  const final = finalOf(call);
  return final === undefined ? null : sourceWords(final.source).label;
}

/** One part, the newest calls first; the first part has the header. */
export async function exportCalls(
  db: Database,
  workspaceId: string,
  { cursor, ...asked }: CallsExportInput,
): Promise<CallsExportPart> {
  const page = await listCalls(db, workspaceId, { ...asked, cursor, order: "newest", limit: PART_CALLS });
  const header = cursor ? [] : [COLUMNS.map(([name]) => name)];
  const ids = page.rows.flatMap(({ principal }) => principal?.id ?? []);
  const people = await listPrincipalNames(db.pool, workspaceId, [...new Set(ids)]);
  const lines = page.rows.map((call) => COLUMNS.map(([, cell]) => cell(call, people)));
  return { text: csvLines([...header, ...lines]), rows: page.rows.length, next: page.nextCursor };
}
