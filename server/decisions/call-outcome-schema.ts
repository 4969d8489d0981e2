/** The one outcome of a call, from all decisions over it. The browser reads this module too. */
import { z } from "zod";

/**
 * `silent`: rules ran and gave no verdict; `no_rule`: no rule ran at any gate; `asked`: a person was asked, and no
 * answer is recorded with the call; `canceled`: canceled, or ended with a word that is not known.
 */
export const CALL_OUTCOMES = ["denied", "asked", "allowed", "silent", "no_rule", "canceled"] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];
export const callOutcome = z.enum(CALL_OUTCOMES);

/** The same words and colours in the list, its chart and its filter. */
export const OUTCOME_LOOKS = {
  denied: { tone: "deny", label: "Denied" },
  asked: { tone: "ask", label: "Sent to a person" },
  allowed: { tone: "allow", label: "Allowed" },
  silent: { tone: "observe", label: "No rule objected" },
  no_rule: { tone: "unknown", label: "No rule ran" },
  canceled: { tone: "canceled", label: "Canceled or unknown" },
} as const satisfies Record<CallOutcome, { tone: string; label: string }>;

/**
 * The result of the rules alone, as Home counts it (server/recording/rollup-counts.ts): a rule denied the call, sent it
 * to a person, or allowed it; rules ran and gave no verdict; or no rule ran at any gate. A person's answer, and the
 * agent's own decision, do not change it.
 */
export const RULE_RESULTS = [
  "denied_by_rule",
  "sent_to_person",
  "allowed_by_rule",
  "no_rule_objected",
  "no_rule_ran",
] as const;
export type RuleResult = (typeof RULE_RESULTS)[number];

/**
 * Outcomes that a list is filtered by, besides those: `waiting`: people can still answer; `overturned`: a rule denied or
 * asked, and a person allowed the call; `denied_but_ran`: denied here, and the agent reported that its tool ran.
 */
export const DECISION_OUTCOMES = [
  ...CALL_OUTCOMES,
  ...RULE_RESULTS,
  "waiting",
  "overturned",
  "denied_but_ran",
] as const;
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

/** The verdicts of the rows by which calls of each outcome are found; an index finds them. */
export const VERDICTS_OF_OUTCOME: Readonly<Record<DecisionOutcome, readonly string[]>> = {
  denied: ["deny"],
  waiting: ["deny"],
  denied_but_ran: ["deny"],
  overturned: ["deny", "ask"],
  asked: ["ask", "deny"],
  allowed: ["allow", "ask", "lifted", "rewrite"],
  silent: ["none"],
  no_rule: ["none"],
  canceled: [],
  denied_by_rule: ["deny"],
  sent_to_person: ["ask", "deny", "allow"],
  allowed_by_rule: ["allow"],
  no_rule_objected: ["none", "allow", "deny"],
  no_rule_ran: ["none", "allow", "deny"],
};

/** The sources of calls without a verdict (server/recording/gated-call.ts). */
export const SILENT_SOURCES = { silent: "rules_silent", no_rule: "no_rule" } as const;

/** The beginning of the reason of a call that is denied until a person has answered (server/approvals/gate.ts). */
export const TICKET_BEGINNING = "Approval required: QD-";

/** The number of the request that a call was denied for; null for every other reason. */
export function ticketNumberOf(reason: string): number | null {
  const [, digits] = /^Approval required: QD-(\d{1,15})\./.exec(reason) ?? [];
  return digits === undefined ? null : Number(digits);
}

interface DecisionOfCall {
  readonly kind: "gate" | "final";
  readonly verdict: string;
  readonly source: string;
  readonly reason: string;
}

export const isTicket = ({ kind, verdict, reason }: DecisionOfCall): boolean =>
  kind === "gate" && verdict === "deny" && reason.startsWith(TICKET_BEGINNING);

/** The outcome of a call by its decisions. The same rule in SQL is in outcome-sql.ts. */
export function callOutcomeOf(chain: readonly DecisionOfCall[]): CallOutcome {
  const has = (test: (one: DecisionOfCall) => boolean) => chain.some(test);
  const isAsked = has(isTicket);
  const isAllowed = has(({ kind, verdict }) => kind === "final" && verdict === "allow");
  if (has((one) => one.verdict === "deny" && !isTicket(one) && (one.kind === "gate" || !isAsked))) return "denied";
  if (has(({ verdict }) => verdict === "canceled")) return "canceled";
  if (isAsked || (has(({ kind, verdict }) => kind === "gate" && verdict === "ask") && !isAllowed)) return "asked";
  if (has(({ kind, verdict }) => kind === "gate" && verdict !== "none")) return "allowed";
  if (has(({ source }) => source === SILENT_SOURCES.no_rule)) return "no_rule";
  if (has(({ source }) => source === SILENT_SOURCES.silent)) return "silent";
  return isAllowed ? "allowed" : "canceled";
}
