"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type CardProps, withRange } from "@/components/overview/cards/card-props";
import { ListCard } from "@/components/overview/cards/list-card";
import { OUTCOME_FILTERS, OUTCOME_TEXTS, OUTCOMES, outcomesOf } from "@/components/overview/outcome-model";
import { useTRPC } from "@/components/trpc/client";
import { formatCount, formatShare } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { Link } from "@/components/ui/link";
import { type Tone, toneLook } from "@/components/ui/tone";
import type { OverviewFinalDecisions, OverviewSummary } from "@/server/overview/schema";

interface Step {
  readonly label: string;
  readonly count: number;
  /** The whole that this is a share of. */
  readonly whole: number;
  readonly tone: Tone;
  /** The filter for these calls. */
  readonly filter: string;
}

/** The share of calls under each outcome; each number names its total. */
export function RuleResults({ range, input, during }: CardProps) {
  const trpc = useTRPC();
  const sums = useQuery({ ...trpc.overview.summary.queryOptions(input), placeholderData: keepPreviousData });
  return (
    <ListCard title="How rules answered" query={sums}>
      {(found) => (
        <Steps
          title="Tool calls"
          total={found.gates}
          aside={during}
          missing={`No tool calls reached a gate ${during}.`}
          steps={callSteps(found)}
          range={range.text}
        />
      )}
    </ListCard>
  );
}

/** The agents' own final decisions by the approval source that they name, and the denials among them. */
export function FinalDecisions({ range, input, during }: CardProps) {
  const trpc = useTRPC();
  const finals = useQuery({ ...trpc.overview.finalDecisions.queryOptions(input), placeholderData: keepPreviousData });
  return (
    <ListCard title="Agents' final decisions" query={finals}>
      {(found) => (
        <Steps
          title="Final decisions"
          total={found.total}
          aside={`${during}, whole hours`}
          missing="No agent reported a final decision."
          steps={finalSteps(found)}
          range={range.text}
        />
      )}
    </ListCard>
  );
}

function callSteps(sums: OverviewSummary): Step[] {
  const counts = outcomesOf(sums);
  return OUTCOMES.map((outcome) => ({
    ...OUTCOME_TEXTS[outcome],
    count: counts[outcome],
    whole: sums.gates,
    filter: OUTCOME_FILTERS[outcome],
  }));
}

function finalSteps({ total, denied, deniedBy, ...counts }: OverviewFinalDecisions): Step[] {
  const { byPolicy, byAgent, byPerson, unknown, canceled } = counts;
  const of = (label: string, count: number, tone: Tone, filter: string): Step => ({
    label,
    count,
    whole: total,
    tone,
    filter,
  });
  return [
    of("Decided by a hook", byPolicy, "observe", "settled:hook"),
    of("Decided by the agent", byAgent, "observe", ["settled:yolo", "settled:rule", "settled:nobody"].join(" ")),
    of("Decided by a person", byPerson, "ask", "settled:person"),
    ...(unknown > 0 ? [of("Source unknown", unknown, "unknown", "settled:unknown")] : []),
    of("Ended denied", denied, "deny", "by:final verdict:deny"),
    ...deniedBy.map(({ kind, count }) =>
      of(`Denied by ${DENIED_BY[kind]}`, count, "deny", `by:final verdict:deny settled:${kind}`),
    ),
    ...(canceled > 0 ? [of("Ended canceled", canceled, "canceled", "by:final verdict:canceled")] : []),
  ];
}

/** The kinds of approval source, after "Denied by". */
const DENIED_BY: Readonly<Record<OverviewFinalDecisions["deniedBy"][number]["kind"], string>> = {
  yolo: "auto-approve mode",
  rule: "a permission rule",
  hook: "a hook",
  judge: "a judge",
  person: "a person",
  nobody: "an agent without an approver",
  unknown: "an unknown source",
};

interface StepsProps {
  title: string;
  total: number;
  aside: ReactNode;
  missing: string;
  steps: readonly Step[];
  range: string;
}

function Steps({ title, total, aside, missing, steps, range }: StepsProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-1 px-4 py-3">
      <h3 className="flex flex-wrap items-baseline gap-x-2 font-normal text-sm">
        <span className="font-semibold text-lg">{total === 0 ? <Missing reason={missing} /> : formatCount(total)}</span>
        <span className="font-medium">{title.toLowerCase()}</span>
        <span className="text-muted">{aside}</span>
      </h3>
      {total === 0 ? null : (
        <ul className="flex flex-col">
          {steps.map((step) => (
            <StepLine key={step.label} step={step} range={range} />
          ))}
        </ul>
      )}
    </section>
  );
}

function StepLine({ step: { label, count, whole, tone, filter }, range }: { step: Step; range: string }) {
  const share = whole === 0 ? 0 : Math.min(count / whole, 1);
  const href = withRange(`/activity?q=${encodeURIComponent(filter)}`, range);
  const words = (
    <>
      <span className="min-w-0 flex-1 truncate">{label}</span>
      <span className="font-medium">{formatCount(count)}</span>
      <span className="w-28 shrink-0 text-right text-muted">
        {formatShare(count, whole)} of {formatCount(whole)}
      </span>
    </>
  );
  return (
    <li className="relative text-sm">
      <span
        aria-hidden
        className="absolute inset-y-0.5 left-0 rounded-sm opacity-20 dark:opacity-30"
        style={{ width: `${share * 100}%`, background: toneLook[tone].css }}
      />
      {count === 0 ? (
        <span className="relative flex h-7 items-center gap-2 px-2">{words}</span>
      ) : (
        <Link href={href} className="inset-focus relative flex h-7 items-center gap-2 rounded-sm px-2 hover:bg-hover">
          {words}
        </Link>
      )}
    </li>
  );
}
