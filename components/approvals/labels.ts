import type { Tone } from "@/components/ui/tone";
import type { ApprovalView } from "@/server/approvals/schema";

/** The request's number as everybody says it. */
export const numberOf = ({ number }: Pick<ApprovalView, "number">): string => `QD-${number}`;

interface Ending {
  readonly tone: Tone;
  readonly word: string;
}

/** The end of a request, in a word. */
export function endingOf({ state, editedInput, usedAt, grantedUntil }: ApprovalView, now: number): Ending {
  if (state === "denied") return { tone: "deny", word: "Denied" };
  if (state === "lapsed") return { tone: "unknown", word: "Lapsed" };
  if (state === "withdrawn") return { tone: "canceled", word: "Taken back" };
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
