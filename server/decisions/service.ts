import { parseExactJson } from "@quarterdeck/hooks/contract/exact-json";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { z } from "zod";
import { callPrincipal } from "../access/principal-schema.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database, Pool } from "../platform/db.ts";
import { effectiveSet } from "../policies/index.ts";
import { pgText } from "../recording/index.ts";
import { countFilterNames } from "../recording/reported-name-schema.ts";
import { storedHooks } from "../recording/schema.ts";
import { VERDICTS_OF_OUTCOME } from "./call-outcome-schema.ts";
import { listCallRecords } from "./call-records.ts";
import * as decisions from "./repository.ts";
import {
  ARRIVED_MAX,
  type ArrivedView,
  type CountDecisionsInput,
  type DecisionDetail,
  type DecisionFacets,
  type DecisionFilters,
  type DecisionKey,
  type DecisionPage,
  type DecisionRange,
  type DecisionView,
  decisionFilters,
  FACET_ROWS_MAX,
  type ListDecisions,
} from "./schema.ts";

/**
 * One page. A search that finds less than a page within its limit returns its position, from which the next one
 * continues.
 */
export async function list(db: Database, workspaceId: string, asked: ListDecisions): Promise<DecisionPage> {
  const input = { ...asked, filters: asStored(asked.filters) };
  // One extra row shows that another page follows.
  const { rows, isSearch } = await decisions.list(db.pool, workspaceId, input, input.limit + 1);
  const page = rows.slice(0, input.limit).map(viewOf);
  const last = page.at(-1);
  if (rows.length > input.limit && last)
    return { rows: page, nextCursor: { occurredAt: last.occurredAt, id: last.id }, searched: null };
  const end = isSearch ? await decisions.findSearchEnd(db.pool, workspaceId, input) : null;
  const searched = end && { rows: end.rows, until: end.key.occurredAt };
  return { rows: page, nextCursor: end?.key ?? null, searched };
}

/** The number of decisions that happened in the range, for a list that stays as it is. */
export async function countDecisions(
  db: Database,
  workspaceId: string,
  input: CountDecisionsInput,
): Promise<ArrivedView> {
  const asked = { ...input, filters: asStored(input.filters) };
  const count = await decisions.count(db.pool, workspaceId, asked, ARRIVED_MAX);
  return { count, isWhole: count < ARRIVED_MAX };
}

/** The number of calls in the range that Quarterdeck denied and that ran nevertheless, up to `ARRIVED_MAX`. */
export async function countDeniedButRan(pool: Pool, workspaceId: string, range: DecisionRange): Promise<bigint> {
  const filters = asStored(decisionFilters.parse({ outcome: ["denied_but_ran"] }));
  return BigInt(await decisions.count(pool, workspaceId, { range, filters }, ARRIVED_MAX));
}

/** Filters are compared with stored text, which contains no NUL. */
export function asStored(filters: DecisionFilters): DecisionFilters {
  const {
    verdict,
    by,
    source,
    tool,
    agent,
    person,
    session,
    policy,
    rule,
    group,
    settled,
    outcome,
    assignee,
    keyword,
    has,
    text,
  } = filters;
  const all = (values: string[]) => values.map(pgText);
  return {
    by,
    // The index of verdicts finds the rows of most outcomes.
    verdict: verdict.length > 0 ? all(verdict) : verdictsOf(outcome),
    source: all(source),
    tool: all(tool),
    agent: all(agent),
    person,
    session: all(session),
    policy: all(policy),
    rule: all(rule),
    group: all(group),
    settled,
    outcome,
    assignee: all(assignee),
    keyword: all(keyword),
    has,
    text: pgText(text.trim()),
  };
}

/** The verdicts of rows with these outcomes; empty when any verdict can be. */
function verdictsOf(outcomes: DecisionFilters["outcome"]): string[] {
  const verdicts = outcomes.map((outcome) => VERDICTS_OF_OUTCOME[outcome]);
  return verdicts.some((one) => one.length === 0) ? [] : [...new Set(verdicts.flat())];
}

export function viewOf(row: decisions.DecisionRow): DecisionView {
  return {
    occurredAt: row.occurred_at,
    id: row.dispatch_id,
    kind: row.kind,
    agentId: row.agent_id,
    agentName: row.agent_name,
    principal:
      row.principal_id === null || row.certainty === null ? null : { id: row.principal_id, certainty: row.certainty },
    sessionId: row.session_id,
    event: row.event,
    tool: row.tool_name,
    toolUseId: row.tool_use_id,
    verdict: row.verdict,
    source: row.source,
    reason: row.reason,
    excerpt: row.excerpt,
  };
}

const VALUES_OFFERED = 60;
/** The bits of SQL's grouping(): set for every column that is not the group's own. */
const FACETS = [
  ["verdict", "verdict"],
  ["by", "kind"],
  ["source", "source"],
  ["tool", "tool_name"],
  ["agent", "agent_name"],
  ["session", "session_id"],
] as const;

/** The values to filter by, with counts over the newest decisions of the range. */
export async function facets(db: Database, workspaceId: string, range: DecisionRange): Promise<DecisionFacets> {
  const rows = await decisions.listFacets(db.pool, workspaceId, range, FACET_ROWS_MAX, VALUES_OFFERED);
  const all = (1 << FACETS.length) - 1;
  const counted = rows.find((row) => row.facet === all)?.count ?? 0;
  const of = (index: number) => {
    const column = FACETS[index]?.[1] ?? "verdict";
    const own = all ^ (1 << (FACETS.length - 1 - index));
    return rows
      .filter((row) => row.facet === own)
      .map((row) => ({ value: row[column] ?? "", count: row.count }))
      .filter(({ value }) => value !== "");
  };
  return {
    counted,
    isWhole: counted < FACET_ROWS_MAX,
    verdict: of(0),
    by: of(1),
    source: of(2),
    tool: of(3),
    agent: countFilterNames(of(4).map(({ value, count }) => ({ name: value, count }))),
    session: of(5),
  };
}

const storedFacts = z
  .looseObject({ principal: callPrincipal.optional().catch(undefined) })
  .nullable()
  .catch(null);

const TEXT_SHOWN_MAX = 128 * 1024;

const object = z.record(z.string(), z.unknown()).nullable().catch(null);
const text = z.string().nullable().catch(null);
const storedInput = z.looseObject({ tool_input: object, tool_response: text }).catch({
  tool_input: null,
  tool_response: null,
});
const specific = z
  .looseObject({ updated_input: object, updated_tool_response: text, permission_decision_reason: text })
  .catch({ updated_input: null, updated_tool_response: null, permission_decision_reason: null });
const storedAnswer = z
  .looseObject({ hook_specific_output: specific, decision: text, reason: text })
  .catch({ hook_specific_output: specific.parse(undefined), decision: null, reason: null });

/** A block takes precedence over a verdict: an ask in the same answer never reaches a person. */
function sentReasons({ decision, reason, hook_specific_output }: z.infer<typeof storedAnswer>) {
  const { permission_decision_reason: spoken } = hook_specific_output;
  return [
    { field: "reason" as const, text: decision === "block" ? (reason ?? "") : "" },
    { field: "permission_decision_reason" as const, text: spoken ?? "" },
  ].filter((sent) => sent.text !== "");
}

/** Everything about one decision. Errors: `dispatch_not_found`. */
export async function get(db: Database, workspaceId: string, key: DecisionKey): Promise<DecisionDetail> {
  const { pool } = db;
  const [row, dispatch] = await Promise.all([
    decisions.find(pool, workspaceId, key),
    decisions.findDispatch(pool, workspaceId, key),
  ]);
  if (!row || !dispatch) throw new AppError("dispatch_not_found", key.id);
  const hooks = storedHooks.parse(JSON.parse(dispatch.hooks));
  const [policyIds, callRecords, revisionNow] = await Promise.all([
    decisions.listPolicyIds(pool, workspaceId, [...new Set(hooks.map((hook) => hook.policy))]),
    listCallRecords(db, workspaceId, row),
    findRevisionNow(db, workspaceId, row.agent_id),
  ]);
  const input = storedInput.parse(parsed(dispatch.input));
  const answer = storedAnswer.parse(parsed(dispatch.answer));
  const sent = sentReasons(answer);
  return {
    ...viewOf(row),
    principalFacts: principalIn(dispatch.facts),
    lane: dispatch.lane,
    origin: dispatch.origin,
    receivedAt: dispatch.received_at,
    durationUs: dispatch.duration_us,
    revision: dispatch.revision,
    revisionNow,
    toolInput: input.tool_input,
    toolResponse: input.tool_response,
    updatedInput: answer.hook_specific_output.updated_input,
    updatedToolResponse: answer.hook_specific_output.updated_tool_response,
    answeredReason: sent[0]?.text ?? "",
    sentReasons: sent,
    hooks: hooks.map((hook) => ({ ...hook, policyId: policyIds.get(hook.policy) ?? null })),
    callRecords,
    input: shown(dispatch.input),
    answer: shown(dispatch.answer),
  };
}

/** Rows from before facts have none. */
function principalIn(facts: string | null): DecisionDetail["principalFacts"] {
  return storedFacts.parse(facts === null ? null : parsed(facts))?.principal ?? null;
}

async function findRevisionNow(db: Database, workspaceId: string, agentId: string): Promise<string | null> {
  if (!(await decisions.isAgent(db.pool, workspaceId, agentId))) return null;
  return (await effectiveSet(db, workspaceId, agentId)).revision;
}

/** Stored JSON was checked when it arrived; text that is no longer valid JSON is shown unchanged. */
function parsed(json: string): unknown {
  try {
    return parseExactJson(json);
  } catch {
    return null;
  }
}

function shown(json: string): { text: string; bytes: number; isCut: boolean } {
  const isCut = json.length > TEXT_SHOWN_MAX;
  return { text: truncateText(json, TEXT_SHOWN_MAX, ""), bytes: Buffer.byteLength(json), isCut };
}
