"use client";

import { skipToken, useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { progressText, resultText, scopeText, UNKNOWN_TEXTS, unknownCount } from "@/components/backtest/backtest-text";
import { ReviewRun } from "@/components/backtest/review-run";
import { hrefOf, isOpen, REFRESH_MS } from "@/components/backtest/run-state";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { formatCount } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { Spinner } from "@/components/ui/spinner";
import type { BacktestRunView, BacktestText } from "@/server/backtest/run-schema";
import { unknownReason } from "@/server/backtest/tally-schema";

interface TextBacktestProps {
  /** The text; null when it could not be saved. */
  prepare: () => Promise<BacktestText | null>;
  /** Drawn below a finished run. */
  children?: (run: BacktestRunView) => ReactNode;
}

/** The newest backtest of exactly one text. Without one, it starts a quick backtest as it opens. */
export function TextBacktest({ prepare, children }: TextBacktestProps) {
  const { run, failure, look } = useTextBacktest(prepare);
  const canRunAgain = failure !== null || (run !== undefined && isOfNoUse(run));
  return (
    <Section
      title="Backtest"
      actions={
        canRunAgain ? (
          <Button size="sm" onClick={look}>
            Run again
          </Button>
        ) : null
      }
    >
      {failure !== null ? (
        <ErrorLine>The backtest could not be run: {failure}</ErrorLine>
      ) : run === undefined ? (
        <Working>Looking for a backtest of this draft…</Working>
      ) : isOpen(run) ? (
        <Working>{progressText(run)}</Working>
      ) : run.state === "failed" ? (
        <ErrorLine>{run.says}</ErrorLine>
      ) : run.state === "canceled" ? (
        <p className="text-muted text-sm">
          The backtest was canceled. Run the backtest again to see the effect of the draft.
        </p>
      ) : (
        <Result run={run} />
      )}
      {run?.state === "finished" ? children?.(run) : null}
    </Section>
  );
}

const isOfNoUse = ({ state, isCurrent }: BacktestRunView): boolean =>
  state === "failed" || state === "canceled" || (state === "finished" && !isCurrent);

function useTextBacktest(prepare: TextBacktestProps["prepare"]) {
  const trpc = useTRPC();
  const found = useMutation(trpc.backtest.startIfMissing.mutationOptions());
  const { data, variables, mutate } = found;
  const asked = data && variables ? { policyId: variables.policyId, runId: data.id } : null;
  const run = useQuery({
    ...trpc.backtest.get.queryOptions(asked ?? skipToken),
    refetchInterval: ({ state }) => (state.data && !isOpen(state.data) ? false : REFRESH_MS),
  });
  const look = () => void prepare().then((text) => (text ? mutate(text) : undefined));
  const begin = useRef<(() => void) | null>(look);
  // Synchronises with the server's run, which begins as the panel opens.
  useEffect(() => {
    begin.current?.();
    begin.current = null;
  }, []);
  const error = found.error ?? run.error;
  return { run: run.data, failure: error ? failureSentence(error) : null, look };
}

const Working = ({ children }: { children: ReactNode }) => (
  <p role="status" className="flex items-center gap-2 text-muted text-sm">
    <Spinner /> {children}
  </p>
);

function Result({ run }: { run: BacktestRunView }) {
  const trpc = useTRPC();
  const { tally, isCurrent, endedAt } = run;
  const news = useQuery(trpc.backtest.newVerdicts.queryOptions({ policyId: run.policyId, runId: run.id })).data;
  const unknown = unknownCount(tally);
  const least = tally.notKept > 0 ? "at least " : "";
  return (
    <div className="flex flex-col gap-2">
      <p role="status">{resultText(run)}</p>
      <ul aria-label="Changed calls" className="flex flex-wrap gap-x-4 gap-y-1">
        <Count tone="allow" count={tally.looser} label="less strict" />
        <Count tone="deny" count={tally.stricter} label="stricter" />
        <Count tone="ask" count={news?.asked ?? 0} label="newly asked" prefix={least} />
        <Count tone="deny" count={news?.denied ?? 0} label="newly denied" prefix={least} />
        <Count tone="observe" count={tally.otherwise} label="other answer" />
        <Count tone="unknown" count={unknown} label="unknown" />
      </ul>
      {unknown > 0 ? (
        <ul className="list-disc pl-4 text-muted text-sm">
          {unknownReason.options
            .filter((why) => (tally.unknown[why] ?? 0) > 0)
            .map((why) => (
              <li key={why}>
                {UNKNOWN_TEXTS[why]}: {formatCount(tally.unknown[why] ?? 0)}
              </li>
            ))}
        </ul>
      ) : null}
      <ReviewRun run={run} />
      {isCurrent ? null : (
        <p className="text-sm">The policies in force have changed since this backtest. Run the backtest again.</p>
      )}
      <p className="text-muted text-sm">
        {scopeText(run)}, {endedAt ? <RelativeTime at={endedAt} /> : "finished"}.{" "}
        <Link className="underline" href={hrefOf(run)} target="_blank">
          Open the backtest
        </Link>
      </p>
    </div>
  );
}

interface CountProps {
  tone: "allow" | "deny" | "ask" | "observe" | "unknown";
  count: number;
  label: string;
  prefix?: string;
}

function Count({ tone, count, label, prefix = "" }: CountProps) {
  return count === 0 ? null : (
    <li>
      <Mark tone={tone} label={`${prefix}${formatCount(count)} ${label}`} />
    </li>
  );
}
