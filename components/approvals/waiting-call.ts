/** Calls that can be answered without their card: those that are shown whole in one line. Pure. */
import { isQuestion } from "@/components/approvals/labels";
import type { ApprovalView } from "@/server/approvals/schema";

/** A longer input is read on its card. */
const LINE_CHARS_MAX = 160;

/** The whole input in one line: the value of its only argument, else JSON. Null for a question and a longer input. */
export function inputLine(request: ApprovalView): string | null {
  if (isQuestion(request) || !request.isWhole) return null;
  const text = lineOfMembers(request.input) ?? request.input;
  return text.length <= LINE_CHARS_MAX && !/[\p{Cc}\p{Cf}]/u.test(text) ? text : null;
}

/** The beginning of the input in one line, for a row whose panel shows the input whole. */
export const inputPreview = (request: ApprovalView): string =>
  inputLine(request) ?? request.input.slice(0, LINE_CHARS_MAX).replace(/[\p{Cc}\p{Cf}]/gu, "\ufffd");

/**
 * The text of an object with a single text member; `environment: "production", version: "2.8.0"` of one with several.
 * Values stay quoted: none can look like another member.
 */
function lineOfMembers(json: string): string | null {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    // A member twice, or a number that loses digits: the text is shown as it came.
    if (JSON.stringify(value) !== json) return null;
    const members = Object.entries(value);
    const [only, ...more] = members;
    if (only && more.length === 0 && typeof only[1] === "string") return only[1];
    const isPlain = members.every(([key, member]) => /^\w+$/.test(key) && typeof member !== "object");
    return isPlain && members.length > 0
      ? members.map(([key, member]) => `${key}: ${JSON.stringify(member)}`).join(", ")
      : null;
  } catch {
    return null;
  }
}

type Guarded = Pick<ApprovalView, "isOwn" | "isRouted" | "ownAllowance" | "needsConfirmation" | "moreNeeded">;

/** The answers that the reader may give in the row: those of the card, where it asks for no second press and hides nothing. */
export function canAnswerInPlace(
  request: ApprovalView,
  isGranted: boolean,
): { readonly allow: boolean; readonly deny: boolean } {
  const { isOwn, isRouted, ownAllowance, needsConfirmation, moreNeeded }: Guarded = request;
  const deny = isGranted && !isOwn && !isRouted && ownAllowance !== "given";
  const isShown = isQuestion(request) || inputLine(request) !== null;
  return { allow: deny && ownAllowance === "none" && !needsConfirmation && moreNeeded <= 1 && isShown, deny };
}
