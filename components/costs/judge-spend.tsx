"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Scale } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { formatCount, formatShare, plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { Money } from "@/components/ui/format/money";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import type { BacktestSpend } from "@/server/backtest/sampling/sample-schema";
import type { JudgeCallSums } from "@/server/judges/schema";
import type { PromptCostView } from "@/server/prompts/cost-schema";

/** The cost of judges in the range: a line of its own, because the agents spent none of it. */
export function JudgeSpend({ input, during }: { input: { from: Date; to: Date }; during: string }) {
  const trpc = useTRPC();
  const [range] = useQueryState("range", parseAsString);
  const summary = useQuery({ ...trpc.judges.summary.queryOptions(input), placeholderData: keepPreviousData });
  const backtests = useQuery({ ...trpc.backtest.judgeSpend.queryOptions(input), placeholderData: keepPreviousData });
  const ledger = summary.data?.ledger;
  return (
    <section
      aria-label="Spent on judges"
      className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 rounded-md border bg-surface px-4 py-2"
    >
      <Scale aria-hidden className="size-3.5 text-faint" />
      <h2 className="font-normal text-muted text-sm">Judges, not included in spend</h2>
      {ledger ? (
        <>
          <Spent ledger={ledger} during={during} />
          <span className="text-muted">{speaksFor(ledger, during)}</span>
          <TestSpend input={input} />
          {backtests.data && backtests.data.asked > 0 ? <OfBacktests spend={backtests.data} /> : null}
        </>
      ) : summary.isError ? (
        <span className="text-deny text-sm">could not be loaded: {failureSentence(summary.error)}</span>
      ) : (
        <Skeleton className="w-40" />
      )}
      <Link
        className="link ml-auto text-sm"
        href={range === null ? "/policies/judges" : `/policies/judges?${new URLSearchParams({ range })}`}
      >
        By judge
      </Link>
    </section>
  );
}

const KINDS: Readonly<Record<PromptCostView["kind"], string>> = {
  known: "Known calls",
  injection: "Injection tests",
  trial: "Trials",
};

/** The cost of the questions that no hook asked. They are in no sum of judges. */
function TestSpend({ input }: { input: { from: Date; to: Date } }) {
  const trpc = useTRPC();
  const costs = useQuery({ ...trpc.prompts.costs.queryOptions(input), placeholderData: keepPreviousData });
  if (costs.error)
    return (
      <span className="text-deny text-sm">Costs of tests could not be loaded: {failureSentence(costs.error)}</span>
    );
  const asked = (costs.data ?? []).filter(({ answers }) => answers > 0);
  if (asked.length === 0) return null;
  return (
    <ul aria-label="Tests of judges" className="flex flex-wrap gap-x-3 text-sm">
      {asked.map(({ kind, answers, unpriced, nano }) => (
        <li key={kind}>
          <span className="text-muted">{KINDS[kind]}</span>{" "}
          <Money
            nano={unpriced === answers ? null : nano}
            zeroIsFree
            reason="The price of the judges' answers is not known."
          />
          {unpriced > 0 && unpriced < answers ? (
            <span className="text-muted"> · {formatCount(unpriced)} unpriced</span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** The questions of backtests. No agent waited for them, so they are not among the calls above. */
function OfBacktests({ spend: { asked, unpriced, nano } }: { spend: BacktestSpend }) {
  return (
    <span>
      Backtests <Money nano={nano} className="font-semibold" />
      <span className="text-muted">
        {` ${plural(asked, "question")}`}
        {unpriced > 0 ? ` · ${formatCount(unpriced)} unpriced` : null}
      </span>
    </span>
  );
}

function Spent({ ledger: { calls, priced, free, unpriced, nano }, during }: { ledger: JudgeCallSums; during: string }) {
  if (calls === 0) return <Missing reason={`No judge calls ${during}.`} />;
  if (priced + free === 0)
    return unpriced === 0 ? (
      <Missing reason="No judge answered, so there is no cost." />
    ) : (
      <Money nano={null} reason="The price of the judges' answers is not known." />
    );
  return <Money nano={nano} zeroIsFree={priced === 0} className="font-semibold" />;
}

function speaksFor({ calls, priced, free, unpriced, unanswered }: JudgeCallSums, during: string): string {
  if (calls === 0) return `no judge calls ${during}`;
  const answers = calls - unanswered;
  return [
    answers === 0
      ? null
      : unpriced === 0
        ? `all ${plural(answers, "answer")} priced`
        : `${formatShare(priced + free, answers)} of ${plural(answers, "answer")} priced · ${formatCount(unpriced)} unpriced`,
    unanswered === 0 ? null : `${formatCount(unanswered)} unanswered`,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}
