/** The verdict on a call of a drill: whatever the policies say of it, it is denied, and the reason says what they said. */
import { answerOf, type EventName, NEUTRAL, type Verdict, WIDEST_PROFILE } from "@quarterdeck/hooks";
import type { DispatchRequest } from "../dispatches/index.ts";
import type { DispatchRecord } from "../recording/index.ts";
import type { PolicyWord } from "./schema.ts";

/** Events that a denial takes all effect from, also that of hiding: what happened, or costs, is never marked by a nonce. */
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
 * A gate before the event's own may let the call pass: the event's own follows, and denies. A question ends the way, because nobody is
 * asked it: once the nonce is over, the event's own is an ordinary call, and the question would be lost.
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
