import type { ReactNode } from "react";
import { formatCount, formatShare } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { type Tone, toneLook } from "@/components/ui/tone";
import type { OverviewFinalDecisions, OverviewSummary } from "@/server/overview/schema";

interface Step {
  readonly label: string;
  readonly count: number;
  /** The whole that this is a share of. */
  readonly whole: number;
  readonly tone: Tone;
  /** The filter for these decisions; null for undecided calls, which are not decisions. */
  readonly filter: string | null;
}

export interface FunnelProps {
  sums: OverviewSummary | undefined;
  finals: OverviewFinalDecisions | undefined;
  during: string;
  range: string;
}

/**
 * The stages of a tool call, from the check of its policy to the agent's final decision; each number names its total.
 */
export function Funnel({ sums, finals, during, range }: FunnelProps) {
  return (
    <Section title="How tool calls were decided" framed flush className="h-full">
      {sums && finals ? (
        <div className="flex flex-col gap-3 px-4 py-3">
          <Steps
            title="Tool calls"
            total={sums.gates}
            aside={during}
            missing={`No agent asked about a tool call ${during}.`}
            steps={callSteps(sums)}
            range={range}
          />
          <Steps
            title="Final decisions of agents"
            total={finals.total}
            aside={`${during}, in whole hours`}
            missing="No agent reported a final decision."
            steps={finalSteps(finals)}
            range={range}
          />
        </div>
      ) : (
        <Loading label="how tool calls were decided" className="p-4">
          <SkeletonText lines={8} />
        </Loading>
      )}
    </Section>
  );
}

function callSteps({ gates, gatesWithoutOpinion, gatesWithoutRule, gateDenied }: OverviewSummary): Step[] {
  const of = (label: string, count: number, tone: Tone, filter: string | null): Step => ({
    label,
    count,
    whole: gates,
    tone,
    filter,
  });
  return [
    of("A rule decided", gates - gatesWithoutOpinion, "observe", "by:gate"),
    of("Denied by policy", gateDenied, "deny", "by:gate verdict:deny"),
    of("Rules had nothing to say", gatesWithoutOpinion - gatesWithoutRule, "observe", null),
    of("No rule ran", gatesWithoutRule, "ask", null),
  ];
}

function finalSteps({ total, byPolicy, byAgent, byPerson, unknown, denied, canceled }: OverviewFinalDecisions): Step[] {
  const of = (label: string, count: number, tone: Tone, filter: string): Step => ({
    label,
    count,
    whole: total,
    tone,
    filter,
  });
  return [
    of("Decided by a hook", byPolicy, "observe", "settled:hook"),
    of("Decided by the agent", byAgent, "observe", "settled:yolo settled:rule settled:nobody"),
    of("Decided by a person", byPerson, "ask", "settled:person"),
    ...(unknown > 0 ? [of("Source unknown", unknown, "unknown", "settled:unknown")] : []),
    of("Ended denied", denied, "deny", "by:final verdict:deny"),
    ...(canceled > 0 ? [of("Ended canceled", canceled, "canceled", "by:final verdict:canceled")] : []),
  ];
}

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
    <section aria-label={title} className="flex flex-col gap-1">
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
  const href = filter && `/decisions?q=${encodeURIComponent(filter)}&range=${encodeURIComponent(range)}`;
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
      {count === 0 || href === null ? (
        <span className="relative flex h-7 items-center gap-2 px-2">{words}</span>
      ) : (
        <Link href={href} className="inset-focus relative flex h-7 items-center gap-2 rounded-sm px-2 hover:bg-hover">
          {words}
        </Link>
      )}
    </li>
  );
}
