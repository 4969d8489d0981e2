"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { PermittedButton } from "@/components/access/permitted-button";
import {
  addedText,
  changedCount,
  progressText,
  STATE_TONES,
  scopeText,
  UNKNOWN_TEXTS,
  unknownCount,
} from "@/components/backtest/backtest-text";
import { ExportFlips } from "@/components/backtest/export-flips";
import { FlipGroups } from "@/components/backtest/flip-groups";
import { LiveTestNotes } from "@/components/backtest/live-test-notes";
import { ReviewRun } from "@/components/backtest/review-run";
import { backtestsHref, isOpen, refreshMs } from "@/components/backtest/run-state";
import { SampleSection } from "@/components/backtest/sample-section";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorState } from "@/components/ui/error-state";
import { formatCount, plural } from "@/components/ui/format/count";
import { Money } from "@/components/ui/format/money";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { Spinner } from "@/components/ui/spinner";
import { Stat, StatRow } from "@/components/ui/stat";
import { Hint } from "@/components/ui/tooltip";
import { type BacktestRunView, RUN_LIMITS } from "@/server/backtest/run-schema";
import { type UnknownReason, unknownReason } from "@/server/backtest/tally-schema";

/** The result of one backtest. Its address can be shared. */
export function BacktestPage({ policyId, runId }: { policyId: string; runId: string }) {
  const trpc = useTRPC();
  const run = useQuery({
    ...trpc.backtest.get.queryOptions({ policyId, runId }),
    refetchInterval: ({ state }) => refreshMs(state.data ? [state.data] : []),
  });
  const crumbs = [
    { label: "Policies", href: "/policies" },
    { label: run.data?.policyName ?? "Policy", href: `/policies/${policyId}` },
    { label: "Backtests", href: backtestsHref(policyId) },
  ];
  return (
    <>
      <PageHeader
        title={run.data?.live ? "Live test" : "Backtest"}
        crumbs={crumbs}
        isAsideOnPhone
        aside={run.data ? <Mark tone={STATE_TONES[run.data.state]} label={run.data.state} /> : null}
        actions={run.data ? <Actions run={run.data} /> : null}
      />
      <PageBody>
        {run.data ? (
          <Result run={run.data} />
        ) : run.error ? (
          <ErrorState
            title="The backtest could not be loaded"
            reason={failureSentence(run.error)}
            onRetry={() => void run.refetch()}
          />
        ) : (
          <Loading label="the backtest">
            <SkeletonText lines={8} />
          </Loading>
        )}
      </PageBody>
    </>
  );
}

function Actions({ run }: { run: BacktestRunView }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const cancel = useMutation(
    trpc.backtest.cancel.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.backtest.pathKey() }),
    }),
  );
  const asked = { policyId: run.policyId, runId: run.id };
  return isOpen(run) && !run.live ? (
    <PermittedButton to="policy:write" busy={cancel.isPending} onClick={() => cancel.mutate(asked)}>
      Cancel
    </PermittedButton>
  ) : (
    <ExportFlips run={run} />
  );
}

function Result({ run }: { run: BacktestRunView }) {
  const { tally, looked, isDraft, askedBy, askedAt, state, says } = run;
  return (
    <>
      <p className="text-muted text-sm">
        {scopeText(run)}, {isDraft ? "on the current draft" : "on a text that is not the current draft"}. Started by{" "}
        {askedBy}, <RelativeTime at={askedAt} />.
      </p>
      {run.live ? <LiveTestNotes run={run} live={run.live} /> : null}
      {isOpen(run) && !run.live ? (
        <p role="status" className="flex items-center gap-2 text-sm">
          <Spinner /> {progressText(run)}
        </p>
      ) : null}
      {state === "failed" ? <Notice kind="danger">{says}</Notice> : null}
      {state === "canceled" ? (
        <Notice>The backtest was canceled. The counts cover the calls read before that.</Notice>
      ) : null}
      {tally.looser > 0 ? (
        <Notice kind="warning">
          {plural(tally.looser, "call")} of {formatCount(looked)} would have a less strict outcome than with the
          policies in force.
        </Notice>
      ) : null}
      {run.live ? null : <ReviewRun run={run} />}
      <Figures run={run} />
      {changedCount(tally) > 0 ? (
        // A new part for each count: it shows the flips that were found since. A live test is read for long, so its groups stay open.
        <FlipGroups run={run} key={run.live ? "live" : changedCount(tally)} />
      ) : null}
      {tally.notKept > 0 ? (
        <p className="text-muted text-sm">
          The groups cover the {run.live ? "first" : "newest"} {formatCount(RUN_LIMITS.flipsKept)} changed calls. The
          counts above cover all.
        </p>
      ) : null}
      {run.sample ? <SampleSection run={run} sample={run.sample} /> : null}
      <NewRules run={run} />
      <Unknown run={run} />
      <Unread run={run} />
    </>
  );
}

function Figures({ run }: { run: BacktestRunView }) {
  const { tally, looked, addedP50Us, addedP95Us } = run;
  const of = `of ${formatCount(looked)} calls`;
  return (
    <StatRow>
      <Stat label="Less strict" value={formatCount(tally.looser)} detail={of} />
      <Stat label="Stricter" value={formatCount(tally.stricter)} detail={of} />
      <Stat label="Other answer" value={formatCount(tally.otherwise)} detail="same verdict, other text or arguments" />
      <Stat label="Unchanged" value={formatCount(tally.unchanged)} detail={of} />
      <Stat label="Unknown" value={formatCount(unknownCount(tally))} detail="not counted as unchanged" />
      <Stat
        label="Added time"
        value={addedText(addedP95Us)}
        unit="p95"
        missing="The backtest found no calls."
        detail={`p50 ${addedText(addedP50Us) ?? "—"}, hooks that ran here`}
      />
      <JudgeQuestions run={run} />
    </StatRow>
  );
}

/** The questions to judges that the text adds: a day, or in the calls of a live test. */
function JudgeQuestions({ run }: { run: BacktestRunView }) {
  const { tally, days, callsMax, live } = run;
  const added = tally.judgeQuestions.candidate - tally.judgeQuestions.inForce;
  const signed = (count: number) => `${count > 0 ? "+" : ""}${formatCount(count)}`;
  if (live) return <Stat label="Judge questions" value={signed(added)} detail="in these calls, none is asked" />;
  return (
    <Stat
      label="Judge questions"
      value={callsMax === null ? signed(Math.round(added / days)) : null}
      unit="/day"
      missing="A quick backtest reads the newest calls only, so it has no figures by day."
      detail={<JudgeCost run={run} />}
    />
  );
}

/** The cost of the judges' questions. The backtest itself asks no judge. */
function JudgeCost({ run: { addedNanoPerDay, callsMax } }: { run: BacktestRunView }) {
  if (callsMax !== null) return null;
  if (addedNanoPerDay === null)
    return <Hint content="No cost is recorded for these judges' models.">cost unknown</Hint>;
  if (addedNanoPerDay === 0n) return <>no added cost</>;
  return (
    <>
      {addedNanoPerDay > 0n ? "+" : null}
      <Money nano={addedNanoPerDay} />
      /day at the ledger's mean
    </>
  );
}

/** The calls that each new rule would have caught, by agent. */
function NewRules({ run: { tally } }: { run: BacktestRunView }) {
  const rules = Object.entries(tally.newRules).sort(([, a], [, b]) => b.caught - a.caught);
  if (rules.length === 0) return null;
  return (
    <Section title="Calls that new rules would stop">
      <ul className="divide-y divide-line rounded-md border">
        {rules.map(([rule, { caught, agents }]) => (
          <li key={rule} className="flex flex-wrap items-baseline gap-x-3 px-3 py-1.5">
            <span className="min-w-0 break-words font-medium">{rule}</span>
            <span>{plural(caught, "call")}</span>
            <span className="text-muted text-sm">{agentsText(agents)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const AGENTS_SHOWN = 6;

function agentsText(agents: Readonly<Record<string, number>>): string {
  const all = Object.entries(agents).sort(([, a], [, b]) => b - a);
  const shown = all.slice(0, AGENTS_SHOWN).map(([name, count]) => `${name} ${formatCount(count)}`);
  return [...shown, ...(all.length > AGENTS_SHOWN ? [`and ${all.length - AGENTS_SHOWN} more`] : [])].join(", ");
}

function Unknown({ run: { tally } }: { run: BacktestRunView }) {
  const found = unknownReason.options.flatMap((why: UnknownReason) => {
    const count = tally.unknown[why] ?? 0;
    return count === 0 ? [] : [{ why, count }];
  });
  if (found.length === 0) return null;
  return (
    <Section title="Unknown" aside={plural(unknownCount(tally), "call")}>
      <ul className="flex flex-col gap-1">
        {found.map(({ why, count }) => (
          <li key={why} className="flex flex-wrap items-center gap-2">
            <Mark tone="unknown" label={formatCount(count)} />
            <span>{UNKNOWN_TEXTS[why]}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The calls that no hook of the candidate reads, by tool. */
function Unread({ run: { tally } }: { run: BacktestRunView }) {
  if (tally.unread === 0) return null;
  const tools = Object.entries(tally.unreadByTool).sort(([, a], [, b]) => b - a);
  return (
    <Section title="Calls that no policy hook checks" aside={plural(tally.unread, "call")}>
      <p className="text-muted text-sm">
        {tools.map(([tool, count]) => `${tool || "no tool"} ${formatCount(count)}`).join(", ")}
      </p>
    </Section>
  );
}
