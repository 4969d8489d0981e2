/** The sentences about approvals, exceptions and halts. */
import { sentences } from "@/components/audit/sentence-table";
import { plural } from "@/components/ui/format/count";

const requestsName = (approvals: readonly { readonly number: number }[]): string =>
  approvals.length === 1 ? `QD-${approvals[0]?.number}` : plural(approvals.length, "approval request");
const exceptionName = (number: number | null): string => (number === null ? "an exception" : `EX-${number}`);

interface HaltWords {
  readonly scope: "workspace" | "group" | "agent" | "session";
  readonly about: string;
}
const haltSubject = ({ scope, about }: HaltWords) =>
  scope === "workspace" ? "the whole workspace" : `the ${scope} ${about}`;

export const APPROVAL_SENTENCES = sentences({
  approval_requested: {
    label: "approval requested",
    says: (e, name) =>
      `asked ${e.peopleNeeded > 1 ? "two people" : "a person"} about a call of ${e.tool || "a tool"} by ${name}${e.isWaiting ? ", which waits" : ""}`,
  },
  approval_answered: {
    label: "approval answered",
    says: (e, name) =>
      `${e.outcome === "deny" ? "denied" : e.edited === null ? "allowed" : "allowed, with an edited input,"} QD-${e.number} of ${name}${e.isLast ? "" : "; a second person must agree"}${e.words === "" ? "" : `: ${e.words}`}`,
  },
  approvals_lapsed: {
    label: "approvals lapsed",
    says: (e) =>
      `closed ${e.approvals.length === 1 ? `QD-${e.approvals[0]?.number}` : plural(e.approvals.length, "approval request")} without an answer`,
  },
  approver_rules_set: {
    label: "approver rules set",
    says: (e) =>
      `set who answers calls: ${e.lists.length === 0 ? "every approver" : e.lists.map(({ name }) => name).join(", then ")}`,
  },
  approvals_reminded: {
    label: "approvals reminded",
    says: (e) => `reminded people of ${requestsName(e.approvals)} without an answer`,
  },
  approvals_escalated: {
    label: "approvals escalated",
    says: (e) =>
      `asked ${[...new Set(e.approvals.map(({ to }) => to))].join(" and ")} about ${requestsName(e.approvals)} without an answer`,
  },
  approval_withdrawn: {
    label: "approval withdrawn",
    says: (e, name) => `took back the allowance of QD-${e.number} for ${name}`,
  },
  exception_made: {
    label: "exception made",
    says: (e) =>
      `made an exception ${e.number === null ? "from a denied call" : `from QD-${e.number}`} for ${e.command === null ? "one exact call" : `"${e.command.join(" ")}"`} of ${e.tool}, ${e.scope === "workspace" ? "all agents" : `${e.scope} ${e.about}`}: ${e.reason}`,
  },
  exception_ended: {
    label: "exception ended",
    says: (e) => `ended the exception ${e.number === null ? "from a denied call" : `from QD-${e.number}`}: ${e.reason}`,
  },
  exceptions_lapsed: {
    label: "exceptions lapsed",
    says: (e) =>
      `noted the lapse of ${e.exceptions.length === 1 ? exceptionName(e.exceptions[0]?.number ?? null) : plural(e.exceptions.length, "exception")}: a review is due`,
  },
  exception_reviewed: {
    label: "exception reviewed",
    says: (e) => `reviewed ${exceptionName(e.number)}, which had lapsed: ${e.words}`,
  },
  halted: {
    label: "halted",
    says: (e) => `${e.isQuarantine ? "put into quarantine" : "halted"} ${haltSubject(e)}: ${e.reason}`,
  },
  halt_resumed: { label: "halt resumed", says: (e) => `resumed ${haltSubject(e)}: ${e.reason}` },
});
