/** Calls that agents hold open until a person answers, as rows of the list: they are recorded once they are answered. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { parseJson } from "../access/json-text.ts";
import { type HeldCall, listHeldCalls } from "../approvals/index.ts";
import type { Database } from "../platform/db.ts";
import { argumentExcerpt } from "../recording/index.ts";
import type { CallDecision, CallView, DecisionFilters, ListDecisions } from "./schema.ts";

/** More are on the Approvals page. */
const HELD_MAX = 200;
const EXCERPT_CHARS_MAX = 240;

/** Those that the filters find. Nothing decided them yet, so filters by what decided a call find none. A follow-up begins
 * with the record. */
export async function heldCalls(
  { pool }: Database,
  workspaceId: string,
  { range, filters }: Pick<ListDecisions, "range" | "filters">,
): Promise<CallView[]> {
  if (!canMatch(filters)) return [];
  const held = await listHeldCalls(pool, workspaceId, range, HELD_MAX);
  return held.filter((call) => matches(call, filters)).map(viewOf);
}

function canMatch({ verdict, by, source, rule, group, settled, outcome, ...rest }: DecisionFilters): boolean {
  const { assignee, keyword, has, person } = rest;
  // The principal of a call is recorded with it.
  const isDecided = source.length + rule.length + group.length + settled.length + person.length > 0;
  if (assignee.length + keyword.length + has.length > 0) return false;
  const isAsked = outcome.length === 0 || outcome.includes("waiting") || outcome.includes("asked");
  return !isDecided && isAsked && isIn("ask", verdict) && isIn("gate", by);
}

const isIn = (value: string, values: readonly string[]): boolean => values.length === 0 || values.includes(value);

function matches(call: HeldCall, { tool, agent, session, policy, text }: DecisionFilters): boolean {
  const words = text.trim().toLowerCase();
  return (
    isIn(call.toolName, tool) &&
    isIn(call.agentName, agent) &&
    isIn(call.sessionId, session) &&
    (policy.length === 0 || call.policies.some((name) => policy.includes(name))) &&
    (words === "" || `${excerptOf(call)}\n${call.reason}`.toLowerCase().includes(words))
  );
}

function excerptOf({ input }: HeldCall): string {
  const value = parseJson(input);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? argumentExcerpt({ ...value }) : truncateText(input, EXCERPT_CHARS_MAX, "");
}

function viewOf(call: HeldCall): CallView {
  const { id, number, askedAt: occurredAt, agentId, agentName, sessionId, toolName, callId, reason } = call;
  const asked = { event: "pre_tool_use", verdict: "ask", source: "pre_tool_use_hook_ask", reason };
  const decided: CallDecision = { occurredAt, id, kind: "gate", ...asked };
  return {
    ...decided,
    ...{ agentId, agentName, principal: null, sessionId, tool: toolName, toolUseId: callId, excerpt: excerptOf(call) },
    chain: [decided],
    request: { id, number, state: "pending", names: [] },
    isRecorded: false,
    ran: null,
    isRanByOrder: false,
    followUp: null,
  };
}
