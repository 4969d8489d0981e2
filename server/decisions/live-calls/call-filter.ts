/**
 * The filters of a list on calls in memory. The same rules in SQL are in repository.ts and outcome-sql.ts of the folder
 * above; call-filter.test.ts compares them.
 */
import { type CallOutcome, callOutcomeOf, SILENT_SOURCES } from "../call-outcome-schema.ts";
import type { DecisionFilters, DecisionView } from "../schema.ts";

export interface FilteredCall {
  readonly decisions: readonly DecisionView[];
  /** The present name of the agent that enrolled; null if it was removed. */
  readonly enrolledName: string | null;
}

/** The places of the decisions that all filters find. `filters` as stored, and followable. */
export function callFilter(filters: DecisionFilters): (call: FilteredCall) => number[] {
  const { verdict, by, source, tool, agent, session, policy, rule, outcome } = filters;
  const isIn = (values: readonly string[], value: string) => values.length === 0 || values.includes(value);
  const isOfAgent = (name: string, enrolledName: string | null) =>
    isIn(agent, name) || (enrolledName !== null && agent.includes(enrolledName));
  return ({ decisions, enrolledName }) => {
    const outcomeOfCall = outcome.length === 0 ? null : callOutcomeOf(decisions);
    return decisions.flatMap((one, place) => {
      const isFound =
        isIn(verdict, one.verdict) &&
        isIn(by, one.kind) &&
        isIn(source, one.source) &&
        isIn(tool, one.tool) &&
        isIn(session, one.sessionId) &&
        isOfAgent(one.agentName, enrolledName) &&
        (policy.length === 0 || policy.includes(policyIn(one))) &&
        (rule.length === 0 || rule.includes(ruleIn(one))) &&
        (outcomeOfCall === null || outcome.some((name) => name === outcomeOfCall && SHOWS_OUTCOME[outcomeOfCall](one)));
      return isFound ? [place] : [];
    });
  };
}

/** The decisions by which a call of each outcome is found. */
const SHOWS_OUTCOME: Readonly<Record<CallOutcome, (one: DecisionView) => boolean>> = {
  denied: ({ verdict }) => verdict === "deny",
  asked: ({ kind, verdict }) => kind === "gate" && (verdict === "ask" || verdict === "deny"),
  allowed: ({ verdict }) => ["allow", "ask", "lifted", "rewrite"].includes(verdict),
  silent: ({ source }) => source === SILENT_SOURCES.silent,
  no_rule: ({ source }) => source === SILENT_SOURCES.no_rule,
  canceled: ({ kind, verdict }) => kind === "final" && verdict !== "allow" && verdict !== "deny",
};

const PATH = '" (';
const REVISION = " revision ";

type Reasoned = Pick<DecisionView, "kind" | "reason">;

/** A gate's reason names both: `Denied by "rule" (policy revision 3, path): words`. */
export function policyIn({ kind, reason }: Reasoned): string {
  const path = reason.indexOf(PATH);
  if (kind !== "gate" || path < 0 || reason.indexOf(REVISION, path + PATH.length) < 0) return "";
  return reason.split(PATH)[1]?.split(REVISION)[0] ?? "";
}

export function ruleIn({ kind, reason }: Reasoned): string {
  const quote = reason.indexOf('"');
  if (kind !== "gate" || quote < 0 || reason.indexOf(PATH, quote + 1) < 0) return "";
  return reason.split(PATH)[0]?.split('"')[1] ?? "";
}
