import type { Tone } from "@/components/ui/tone";
import { QUESTION_TOOL } from "@/server/approvals/question-schema";
import type { ApprovalView } from "@/server/approvals/schema";

/** The request's number as everybody says it. */
export const numberOf = ({ number }: Pick<ApprovalView, "number">): string => `QD-${number}`;

/** True of what an agent asks by itself, about no call. Of a tool that is merely named so, a rule asks. */
export const isQuestion = ({ toolName, askedBy, isWaiting }: ApprovalView): boolean =>
  toolName === QUESTION_TOOL && askedBy.length === 0 && !isWaiting;

/** The act that people are asked about, after the agent's name. */
export function actOf(request: ApprovalView): string {
  return isQuestion(request) ? "asks a question" : `wants to use ${request.toolName || "a tool"}`;
}

interface Ending {
  readonly tone: Tone;
  readonly word: string;
}

/** The end of a request, in a word. */
export function endingOf(request: ApprovalView, now: number): Ending {
  const { state, editedInput, usedAt, grantedUntil } = request;
  if (state === "denied") return { tone: "deny", word: "Denied" };
  if (state === "lapsed") return { tone: "unknown", word: "Lapsed" };
  if (state === "withdrawn") return { tone: "canceled", word: "Taken back" };
  if (isQuestion(request)) return { tone: "allow", word: "Yes" };
  if (usedAt !== null) return { tone: "allow", word: editedInput === null ? "Allowed" : "Edited" };
  const isOver = grantedUntil !== null && grantedUntil.getTime() <= now;
  return isOver ? { tone: "unknown", word: "Not used" } : { tone: "allow", word: "Allowed" };
}

/** True while an allowance can be taken back. */
export const canWithdraw = ({ state, usedAt, grantedUntil, isWaiting }: ApprovalView, now: number): boolean =>
  state === "approved" && !isWaiting && usedAt === null && grantedUntil !== null && grantedUntil.getTime() > now;

/** "Ada and Bo"; "nobody" where there is no answer. */
export function namesOf({ answers }: Pick<ApprovalView, "answers">): string {
  const names = answers.map(({ name }) => name);
  return names.length === 0 ? "nobody" : names.join(" and ");
}
