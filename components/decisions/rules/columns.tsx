"use client";

import { errorsOf, overturnedOf } from "@/components/decisions/rules/figures";
import { EventTitle } from "@/components/layout/event-title";
import { Badge } from "@/components/ui/badge";
import { formatCount, formatShare } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { Missing } from "@/components/ui/format/missing";
import { Money } from "@/components/ui/format/money";
import { Link } from "@/components/ui/link";
import type { Column } from "@/components/ui/table/types";
import { Tooltip } from "@/components/ui/tooltip";
import type { RuleCard } from "@/server/decisions/rules/schema";

type RuleColumn = Column<RuleCard>;

/** `during` ends a sentence: "in the last 30 days". */
export const ruleColumns = (during: string): RuleColumn[] => [
  RULE,
  POLICY,
  {
    id: "event",
    header: "Event",
    cell: ({ event }) => <EventTitle event={event} look="title" />,
    value: (card) => card.event,
    width: 160,
  },
  runs(during),
  ...COUNTS,
  latency("p50", during),
  latency("p95", during),
  latency("p99", during),
  cost(during),
];

const RULE: RuleColumn = {
  id: "rule",
  header: "Rule",
  cell: (card) => (
    <span className="flex min-w-0 items-center gap-2">
      <span className="truncate font-medium">{card.hook}</span>
      {card.inForce === 0 ? <Badge>not in force</Badge> : null}
      {card.monitoredUntil === null ? null : <Badge>monitored</Badge>}
      {card.inForce > 1 ? (
        <Tooltip content={`${card.inForce} hooks of this policy and event have this name; they are counted together.`}>
          <span className="text-faint">×{card.inForce}</span>
        </Tooltip>
      ) : null}
    </span>
  ),
  value: (card) => card.hook,
  grow: true,
  width: 164,
  sortable: true,
  fixed: true,
  priority: 1,
};

const POLICY: RuleColumn = {
  id: "policy",
  header: "Policy",
  cell: ({ policy, policyId }) =>
    policy === "" ? (
      <Missing reason="This hook belongs to no policy: the agent's own command line added it." />
    ) : policyId === null ? (
      policy
    ) : (
      <Link href={`/policies/${policyId}`} className="rounded-sm hover:underline">
        {policy}
      </Link>
    ),
  value: (card) => card.policy,
  width: 200,
  sortable: true,
};

const runs = (during: string): RuleColumn => ({
  id: "fired",
  header: "Runs",
  hint: "Number of times that a call matched the rule and the rule began to run.",
  cell: ({ fired, outcomes }) =>
    fired > 0 ? (
      formatCount(fired)
    ) : (
      <Tooltip
        content={
          outcomes.skipped > 0
            ? "Calls matched the rule, but the rule never started."
            : `The rule has not run ${during}.`
        }
      >
        <span className="text-muted italic">never</span>
      </Tooltip>
    ),
  value: (card) => card.fired,
  width: 78,
  align: "right",
  sortable: true,
});

interface Counted {
  id: string;
  header: string;
  hint: string;
  of: (card: RuleCard) => number;
  /** The runs when absent. */
  wholeOf?: (card: RuleCard) => number;
}

const count = ({ id, header, hint, of, wholeOf = (card) => card.fired }: Counted): RuleColumn => ({
  id,
  header,
  hint,
  cell: (card) => <Part count={of(card)} whole={wholeOf(card)} fired={card.fired} />,
  value: of,
  width: id === "overturned" ? 104 : 84,
  align: "right",
  sortable: true,
});

const COUNTS: readonly RuleColumn[] = [
  count({
    id: "denied",
    header: "Denied",
    hint: "Calls that the rule denied, and their share of its runs.",
    of: (card) => card.outcomes.denied,
  }),
  count({
    id: "asked",
    header: "Asked",
    hint: "Calls that the rule sent to a person, and their share of its runs.",
    of: (card) => card.outcomes.asked,
  }),
  count({
    id: "overturned",
    header: "Overturned",
    hint: "Calls that a person allowed after the rule denied them or sent them to a person. Counts only calls with an ID and a session, if the agent reported their end within a day.",
    of: overturnedOf,
    wholeOf: (card) => card.outcomes.denied + card.outcomes.asked,
  }),
  count({
    id: "errors",
    header: "Errors",
    hint: "The rule's failures and time-outs, and their share of its runs. A rule that fails at a gate denies the call.",
    of: errorsOf,
  }),
];

const latency = (id: "p50" | "p95" | "p99", during: string): RuleColumn => ({
  id,
  header: id,
  hint: "Percentile of the rule's run time, within 9.1 % of the exact value. Runs that did not start do not count.",
  cell: ({ latency }) =>
    latency[id] === null ? (
      <Missing reason={`The rule did not run ${during}.`} />
    ) : (
      <span className="whitespace-nowrap">{formatDuration(latency[id])}</span>
    ),
  value: (card) => card.latency[id],
  width: 74,
  align: "right",
  sortable: true,
  ...(id === "p95" ? {} : { priority: 3 as const, hidden: true }),
});

const cost = (during: string): RuleColumn => ({
  id: "cost",
  header: "Cost",
  hint: "Cost of the rule's questions to models. Judges with the same name in a policy share one total.",
  cell: ({ judge, type }) =>
    judge === null ? (
      <Missing reason={type === "model" ? `The rule asked no model ${during}.` : "The rule asks no model."} />
    ) : (
      <Cost judge={judge} />
    ),
  value: (card) => card.judge?.nano,
  width: 84,
  align: "right",
  sortable: true,
});

function Part({ count, whole, fired }: { count: number; whole: number; fired: number }) {
  if (fired === 0) return <Missing reason="The rule has not run in this range." />;
  if (count === 0) return <span className="text-faint">0</span>;
  return (
    <span className="whitespace-nowrap">
      {formatCount(count)} <span className="inline-block min-w-10 text-faint">{formatShare(count, whole)}</span>
    </span>
  );
}

/** At least this much where answers had no price. */
export function Cost({ judge }: { judge: NonNullable<RuleCard["judge"]> }) {
  const answered = judge.calls - judge.unanswered;
  if (answered > 0 && judge.unpriced === answered)
    return <Money nano={null} reason={`None of the judge's ${formatCount(answered)} answers has a price.`} />;
  return (
    <span className="whitespace-nowrap">
      {judge.unpriced > 0 ? (
        <Tooltip content={`${formatCount(judge.unpriced)} of ${formatCount(answered)} answers have no price.`}>
          <span className="text-muted">≥ </span>
        </Tooltip>
      ) : null}
      <Money nano={judge.nano} isLeast={judge.unpriced > 0} />
    </span>
  );
}
