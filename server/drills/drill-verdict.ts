/** The verdict on a drill's call: it is always denied, and the reason gives the policies' decision. */
import { answerOf, type EventName, NEUTRAL, type Verdict, WIDEST_PROFILE } from "@quarterdeck/hooks";
import type { DispatchRequest } from "../dispatches/index.ts";
import type { DispatchRecord } from "../recording/index.ts";
import type { PolicyWord } from "./schema.ts";

/**
 * Events whose effect a denial prevents completely, including hiding. Reports of past events or of costs are never
 * marked as part of a drill.
 */
const DRILLED: ReadonlySet<EventName> = new Set([
  "pre_tool_use",
  "permission_request",
  "tool_guard",
  "tool_input_transform",
  "user_prompt_submit",
]);

export const isDrilled = (event: EventName): boolean => DRILLED.has(event);

export const policyWordOf = (verdict: Verdict): PolicyWord => (verdict === "none" ? "allow" : verdict);

type Given = Pick<DispatchRecord, "verdict" | "reason" | "answer">;

/**
 * The answer to a drill's call: always denied in the end. An earlier stage may let the call pass, because the event's
 * own gate follows and denies. An early question is denied at once: no person is asked about a drill, and after the
 * nonce expires, the event's own gate would treat the call as an ordinary one.
 */
export function drillAnswer(given: Given, { event, lane, isStage = false }: DispatchRequest): Given {
  const { verdict, reason, answer } = given;
  if (verdict === "deny" || (isStage && verdict !== "ask")) return { verdict, reason, answer };
  const says = verdict === "ask" ? WOULD_ASK : WOULD_ALLOW;
  const denied = { ...NEUTRAL, allowed: false, decision: "deny" as const, decision_reason: says, message: says };
  return { verdict: "deny", reason: says, answer: { ...answerOf(denied, event, lane, WIDEST_PROFILE) } };
}

const WOULD_ALLOW =
  "This was a drill of Quarterdeck: the policy would have allowed this call, so only the drill stopped it.";
const WOULD_ASK = "This was a drill of Quarterdeck: the policy would have asked a person about this call.";
