import { plural } from "@/components/ui/format/count";
import type { Tone } from "@/components/ui/tone";
import { QUESTION_TOOL } from "@/server/approvals/question-schema";
import type { ApprovalView } from "@/server/approvals/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

/** The request's number as people write it: `QD-42`. */
export const numberOf = ({ number }: Pick<ApprovalView, "number">): string => `QD-${number}`;

/** The address of its call in Calls. A call that waits has no record yet; the denial of a ticket names its number. */
export const decisionHref = (request: Pick<ApprovalView, "id" | "number" | "isWaiting" | "askedAt">): string =>
  request.isWaiting
    ? `/activity?open=${eventKeyText({ occurredAt: request.askedAt, id: request.id })}`
    : `/activity?range=7d&q=${numberOf(request)}.`;

/** True if the agent itself asks a question without a call. A rule can also ask about a tool that has the same name. */
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
  const isOver = usedAt === null && grantedUntil !== null && grantedUntil.getTime() <= now;
  return isOver
    ? { tone: "unknown", word: "Not used" }
    : { tone: "allow", word: editedInput === null ? "Allowed" : "Edited" };
}

/** True while an allowance can be taken back. */
export const canWithdraw = ({ state, usedAt, grantedUntil, isWaiting }: ApprovalView, now: number): boolean =>
  state === "approved" && !isWaiting && usedAt === null && grantedUntil !== null && grantedUntil.getTime() > now;

/** "Ada, Bo or 2 others can answer." */
export function answerersSentence({ answerers: { names, more } }: Pick<ApprovalView, "answerers">): string {
  if (names.length === 0) return "No person can answer this call now. An admin can invite an approver.";
  const all = more > 0 ? [...names, plural(more, "other")] : names;
  const [last, ...rest] = [...all].reverse();
  return `${rest.length > 0 ? `${rest.reverse().join(", ")} or ${last}` : last} can answer.`;
}

/** The reason why the reader cannot answer; null if the reader can. */
export function notForReader(request: ApprovalView, isGranted: boolean): string | null {
  const { isOwn, isRouted, askedOf, ownAllowance } = request;
  if (!isGranted) return `Your role cannot answer calls. ${answerersSentence(request)}`;
  if (isOwn)
    return `You cannot answer: you, or an account linked to you, created a key of this agent or logged in on it. ${answerersSentence(request)}`;
  if (isRouted)
    return `${askedOf} answers this call first. ${answerersSentence(request)} You can answer when it escalates to one of your lists.`;
  if (ownAllowance === "given") return `You approved this call, and you can't undo that. ${answerersSentence(request)}`;
  return null;
}

/** The names of those who answered, joined: "Ada and Bo". */
export function namesOf({ answers }: Pick<ApprovalView, "answers">): string {
  const names = answers.map(({ name }) => name);
  return names.length === 0 ? "nobody" : names.join(" and ");
}

/** True if no further person has to agree after this yes. */
const isLastYes = ({ moreNeeded }: Pick<ApprovalView, "moreNeeded">): boolean => moreNeeded <= 1;

/** The button that allows. It promises that the call runs only where this yes is the last that is needed. */
export function allowLabel(request: ApprovalView): string {
  if (!isLastYes(request)) return "Agree";
  if (isQuestion(request)) return "Yes";
  return request.isWaiting ? "Allow once" : "Allow once";
}

/** The consequence of a yes, below the buttons. */
export function consequenceOf(request: ApprovalView): string {
  if (isQuestion(request))
    return "The agent receives your answer. Your answer approves no tool call; policy rules still apply.";
  if (!isLastYes(request)) return "The call runs after a second person approves. You can't undo your answer.";
  if (request.isWaiting) return "The call runs immediately. You can't undo your answer.";
  return "The agent can retry the call within 15 minutes. Until it does, you can withdraw your answer.";
}

/** The people who agreed and how many more have to; undefined where one person answers. */
export function peopleSentence({ peopleNeeded, answers }: ApprovalView): string | undefined {
  if (peopleNeeded < 2) return undefined;
  const counted = answers.filter(({ isCounted }) => isCounted).map(({ name }) => name);
  const others = answers.filter(({ isCounted }) => !isCounted).map(({ name }) => name);
  const agreed =
    counted.length === 0
      ? "Two people must approve the call."
      : `${counted.join(" and ")} agreed; one more must agree.`;
  if (others.length === 0) return agreed;
  return `${agreed} ${others.join(" and ")} can no longer approve.`;
}
