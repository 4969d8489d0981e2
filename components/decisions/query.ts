/**
 * The URL as the input of `decisions.calls`. Pure, so that the server prefetches under the very key that the
 * browser looks for.
 */

import { APPROVAL_SOURCE_KINDS } from "@quarterdeck/hooks/contract/approval-sources";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { type Filter, valuesOf } from "@/components/ui/filter/filter-text";
import { DECISION_OUTCOMES } from "@/server/decisions/call-outcome-schema";
import {
  APPROVAL_SOURCE_VERDICTS,
  type ApprovalSourcesInput,
  DECISION_KINDS,
  type DecisionRange,
  decisionFilters,
  type ListDecisions,
} from "@/server/decisions/schema";

/** The keys of the filter bar, as typed before the colon. */
export const filterKeys = [
  "verdict",
  "by",
  "source",
  "settled",
  "outcome",
  "tool",
  "agent",
  "person",
  "session",
  "policy",
  "rule",
  "group",
  "assignee",
  "keyword",
  "has",
] as const;

export const PAGE_ROWS = 100;

export type DecisionsInput = Omit<ListDecisions, "cursor" | "direction">;

export function decisionsInput(range: DecisionRange, filter: Filter, order: ListDecisions["order"]): DecisionsInput {
  const of = (key: (typeof filterKeys)[number]) => valuesOf(filter, key).slice(0, 20);
  const by = of("by");
  const settled = of("settled");
  const outcome = of("outcome");
  return {
    range: { from: range.from, to: range.to },
    order,
    limit: PAGE_ROWS,
    filters: {
      verdict: of("verdict"),
      by: DECISION_KINDS.filter((kind) => by.includes(kind)),
      source: of("source"),
      tool: of("tool"),
      agent: of("agent"),
      person: of("person").filter(isPerson),
      session: of("session"),
      policy: of("policy"),
      rule: of("rule"),
      group: of("group"),
      settled: APPROVAL_SOURCE_KINDS.filter((kind) => settled.includes(kind)),
      outcome: DECISION_OUTCOMES.filter((each) => outcome.includes(each)),
      assignee: of("assignee"),
      keyword: of("keyword").map((word) => word.toLowerCase()),
      has: of("has").includes("comments") ? ["comments"] : [],
      text: truncateText(filter.text, 200, ""),
    },
  };
}

/** An id or "unknown"; other words find nothing and are left out. */
const isPerson = (value: string): boolean => decisionFilters.shape.person.safeParse([value]).success;

/** The address of the CSV with all calls of a list. */
export const downloadHref = ({ range, filters }: DecisionsInput): string =>
  `/api/download/calls.csv?input=${encodeURIComponent(JSON.stringify({ range, filters }))}`;

/** The final decisions that are counted, in `?which=`. */
export const whichOf = (text: string | null): ApprovalSourcesInput["verdict"] =>
  APPROVAL_SOURCE_VERDICTS.find((which) => which === text) ?? "passed";

const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);
/** The instant in `?at=` at which the list is frozen; null if it follows. */
export function frozenAt(text: string | null): Date | null {
  const ms = text === null ? Number.NaN : Date.parse(text);
  return ms >= EARLIEST && ms < LATEST ? new Date(ms) : null;
}

/** The range, moved so that it ends at that instant. */
export const frozenRange = ({ from, to }: DecisionRange, at: Date): DecisionRange => ({
  from: new Date(Math.max(at.getTime() - (to.getTime() - from.getTime()), EARLIEST)),
  to: at,
});

/** The order in `?sort=`. */
export const orderOf = (text: string | null): ListDecisions["order"] => (text === "oldest" ? "oldest" : "newest");
