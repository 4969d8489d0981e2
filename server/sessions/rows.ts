/** Light rows put together: events with their decisions, calls and compactions, and the money that ran up to each. */

import { eventTitle } from "@quarterdeck/hooks/contract/event-titles";
import type { EventKey } from "../recording/event-key-schema.ts";
import { oneLine, turnEndWords, wordsOf } from "./event-summary.ts";
import type { CompactedRow, DecidedRow, EventRow, PaidRow } from "./repository.ts";
import { type Route, routeOf, routeWords } from "./routes.ts";
import { compareKeys, type RowView } from "./schema.ts";

export interface RowParts {
  readonly events: readonly EventRow[];
  readonly calls: readonly PaidRow[];
  readonly decisions: readonly DecidedRow[];
  readonly compactions: readonly CompactedRow[];
  readonly lanes: ReadonlyMap<string, number>;
  /** The sum spent before the first of `calls`. */
  readonly before: { readonly nano: bigint; readonly unpriced: number };
}

/** `events` and `calls` are in order; calls of filtered events still count. */
export function rowsOf({ events, calls, decisions, compactions, lanes, before }: RowParts): RowView[] {
  const paidBy = new Map(calls.map((call) => [call.dispatch_id, call]));
  const decidedBy = new Map(decisions.map((decision) => [decision.dispatch_id, decision]));
  const excerptOf = new Map(decisions.map(({ tool_use_id, excerpt }) => [tool_use_id ?? "", excerpt]));
  const compactedBy = new Map(compactions.map((compaction) => [compaction.dispatch_id, compaction]));
  const blocked = new Map<string, EventRow>();
  let { nano, unpriced } = before;
  let next = 0;
  return events.map((event) => {
    const key: EventKey = { occurredAt: event.occurred_at, id: event.id };
    for (let call = calls[next]; call && compareKeys(keyOf(call), key) <= 0; call = calls[next]) {
      if (call.cost_nano === null) unpriced += 1;
      else nano += BigInt(call.cost_nano);
      next += 1;
    }
    const decided = decidedBy.get(event.id);
    const blockedBy = blocked.get(event.session_id);
    if (STOPS_RUN.has(event.event) && event.verdict === "deny") blocked.set(event.session_id, event);
    else if (event.event === "turn_end") blocked.delete(event.session_id);
    const call = paidBy.get(event.id);
    const compaction = compactedBy.get(event.id);
    const route = routeOf(event.answer, event.hooks);
    return {
      key,
      lane: lanes.get(event.session_id) ?? 0,
      event: event.event,
      agentName: event.agent_name,
      origin: event.origin,
      tool: event.tool_name,
      toolUseId: event.tool_use_id,
      verdict: event.verdict,
      final: decided?.kind === "final" ? { verdict: decided.verdict, source: decided.source } : null,
      isError: event.event === "on_error" || (event.event === "post_tool_use" && event.tool_error === true),
      routedTo: route && oneLine(route.agent),
      words:
        event.event === "turn_end"
          ? turnEndWords(event.detail ?? "", blockedBy ? eventTitle(blockedBy.event) : null)
          : lineOf(event, decided, excerptOf.get(event.tool_use_id ?? "\0"), route),
      durationUs: event.duration_us,
      hasHooks: event.has_hooks,
      call: call ? { modelId: call.model_id, nano: call.cost_nano === null ? null : BigInt(call.cost_nano) } : null,
      compaction: compaction ? { reason: compaction.reason, effect: compaction.effect } : null,
      spentNano: nano,
      unpriced,
    };
  });
}

/** Events on which a block ends the whole run instead of one call. */
const STOPS_RUN: ReadonlySet<string> = new Set([
  "user_prompt_submit",
  "user_steering_messages_submit",
  "user_followup_submit",
  "before_llm_call",
  "post_tool_use",
  "before_agent_run",
  "after_agent_complete",
  "prompt_file_guard",
]);

const keyOf = (call: PaidRow): EventKey => ({ occurredAt: call.occurred_at, id: call.dispatch_id });

function lineOf(
  event: EventRow,
  decided: DecidedRow | undefined,
  excerpt: string | undefined,
  route: Route | null,
): string {
  const said = event.said === null ? "" : wordsOf(event.event, event.said);
  if (decided?.kind === "gate" && decided.reason !== "")
    // A tool is named next to the line, any other subject of a verdict only in it.
    return joined(event.tool_name === null ? said : "", decided.reason);
  if (route !== null) return joined(routeWords(route), said);
  if (said !== "") return said;
  if (event.tool_name !== null) return oneLine(excerpt ?? "");
  if (event.event === "before_llm_call") return event.detail === null ? "" : `iteration ${event.detail}`;
  return oneLine(event.detail ?? "");
}

const joined = (...parts: readonly string[]): string => oneLine(parts.filter((part) => part !== "").join(" · "));
