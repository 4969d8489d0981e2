/** The outcome of a call in words: what became of it, and who or what decided. */
import { deciderWords } from "@/components/decisions/labels";
import type { Tone } from "@/components/ui/tone";
import {
  type CallOutcome,
  callOutcomeOf,
  type DecisionOutcome,
  OUTCOME_LOOKS,
} from "@/server/decisions/call-outcome-schema";
import { type CallDecision, type CallView, reasonParts, sourceWords, verdictWords } from "@/server/decisions/schema";

const FILTER_LABELS: Readonly<Record<string, string>> = {
  asked: "Sent to a person, no answer recorded",
  denied_by_rule: "Denied by a rule",
  sent_to_person: "Sent to a person, with or without an answer",
  allowed_by_rule: "Allowed by a rule",
  no_rule_objected: "No rule objected, including calls decided by the agent",
  no_rule_ran: "No rule ran, including calls decided by the agent",
  waiting: "Waiting for a person",
  overturned: "Denied or sent to a person by a rule, then allowed",
  denied_but_ran: "Denied by a policy, but the tool ran",
};

/** An outcome as the filter offers it. */
export const outcomeLabel = (outcome: DecisionOutcome): string =>
  FILTER_LABELS[outcome] ?? OUTCOME_LOOKS[outcome as CallOutcome].label; // holds: the others are outcomes of calls

export interface OutcomeWords {
  readonly tone: Tone;
  /** "Denied by git safety". */
  readonly label: string;
  /** The sentence behind it. */
  readonly says: string;
  /** The request that people are asked with, while they can answer it. */
  readonly waiting: { readonly number: number } | null;
}

type Call = Pick<CallView, "chain" | "request">;

export function outcomeWords(call: Call): OutcomeWords {
  const outcome = callOutcomeOf(call.chain);
  const { tone } = OUTCOME_LOOKS[outcome];
  const by = decisiveOf(call.chain);
  const says = by === undefined ? "" : by.reason || sourceWords(by.source).says;
  return { tone, says, waiting: null, ...requestWords(call, outcome), ...wordsOf(call, outcome, by) };
}

/** A denial that stands until people have answered, and a call that is held open for them. */
function requestWords({ request }: Call, outcome: CallOutcome): Partial<OutcomeWords> {
  if (request === null || outcome !== "asked") return {};
  if (request.state === "pending") return { waiting: { number: request.number } };
  return { tone: request.state === "approved" ? "allow" : request.state === "denied" ? "deny" : "unknown" };
}

function wordsOf({ request }: Call, outcome: CallOutcome, by: CallDecision | undefined): { readonly label: string } {
  if (outcome === "silent" || outcome === "no_rule") return { label: OUTCOME_LOOKS[outcome].label };
  if (outcome === "canceled") return { label: by ? verdictWords(by.verdict).word : "Unknown" };
  if (outcome === "asked" && request !== null) return { label: askedWords(request) };
  if (by === undefined) return { label: OUTCOME_LOOKS[outcome].label };
  const verb = outcome === "allowed" ? allowedVerb(by) : OUTCOME_LOOKS[outcome].label;
  const who = deciderOf(by);
  return { label: who === null ? verb : `${verb} ${who}` };
}

function askedWords({ number, state, names }: NonNullable<CallView["request"]>): string {
  const who = names.length === 0 ? "" : ` by ${names.join(" and ")}`;
  if (state === "pending") return `Waiting for a person, QD-${number}`;
  if (state === "denied") return `Denied${who}, QD-${number}`;
  if (state === "lapsed") return `Not answered, QD-${number}`;
  if (state === "withdrawn") return `Approval withdrawn, QD-${number}`;
  return `Retry allowed${who}, QD-${number}`;
}

const allowedVerb = ({ kind, verdict }: CallDecision): string =>
  kind === "gate" && verdict === "rewrite" ? "Rewritten" : "Allowed";

/** The reason of a gate that people answered (server/approvals/gate.ts). */
const BY_PERSON = /^(?:Denied|Allowed)(?: with an edited input)? by ([^"][\s\S]*?) \(QD-(\d+)\)/;

/** "by git safety", "by Ada, QD-12", "by a person"; null when the reason names none. */
function deciderOf(by: CallDecision): string | null {
  const [, who, number] = BY_PERSON.exec(by.reason) ?? [];
  if (who !== undefined) return `by ${who}, QD-${number}`;
  const [, unanswered] = /\b(QD-\d+)\b.*(?:was not answered|within \d+ s|so it is denied)/.exec(by.reason) ?? [];
  if (unanswered !== undefined && reasonParts(by.reason).hook === null) return `without an answer, ${unanswered}`;
  if (by.kind === "final") return finalDecider(by.source);
  const words = deciderWords(by);
  return reasonParts(by.reason).hook === null && words === sourceWords(by.source).label ? null : `by ${words}`;
}

function finalDecider(source: string): string | null {
  const { kind, label } = sourceWords(source);
  if (kind === "person") return "by a person";
  if (kind === "unknown") return source === "" ? null : `by ${label}`;
  return kind === "nobody" ? `(${label})` : `by ${label}`;
}

/**
 * The decision that a call owes its outcome to: a policy's denial, a person's answer, another verdict of a policy that
 * the agent followed, or the agent's own decision.
 */
export function decisiveOf(chain: readonly CallDecision[]): CallDecision | undefined {
  const gates = chain.filter(({ kind }) => kind === "gate");
  const final = chain.findLast(({ kind }) => kind === "final");
  const followsHook = final === undefined || sourceWords(final.source).kind === "hook";
  return (
    gates.findLast(({ verdict }) => verdict === "deny") ??
    gates.findLast(({ reason }) => BY_PERSON.test(reason)) ??
    (followsHook ? gates.findLast(({ verdict }) => final === undefined || verdict === final.verdict) : undefined) ??
    final ??
    gates.at(-1)
  );
}

/** The agent's own last word over the call; null when it reported none. */
export const lastWordOf = (chain: readonly CallDecision[]): CallDecision | null =>
  chain.findLast(({ kind }) => kind === "final") ?? null;
