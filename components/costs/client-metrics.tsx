"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Sigma } from "lucide-react";
import { useCallsHref } from "@/components/costs/calls-href";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { formatCount, plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { exactMoney } from "@/components/ui/format/nano";
import { Link } from "@/components/ui/link";
import type { ClientMetricsView } from "@/server/costs/schema";

/** Clients' metrics beside the ledger: a line of its own, and nothing where no client sends any. */
export function ClientMetrics({ input }: { input: { from: Date; to: Date } }) {
  const trpc = useTRPC();
  const metrics = useQuery({ ...trpc.costs.clientMetrics.queryOptions(input), placeholderData: keepPreviousData });
  if (metrics.data?.sessions === 0 || (metrics.data === undefined && !metrics.isError)) return null;
  return (
    <section aria-label="Metrics of clients" className="rounded-md border bg-surface px-4 py-2">
      <div className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
        <Sigma aria-hidden className="size-3.5 text-faint" />
        <h2 className="font-normal text-muted text-sm">Clients' own metrics, compared with the ledger</h2>
        {metrics.data ? (
          <span className="text-muted">{wordsFor(metrics.data)}</span>
        ) : (
          <span className="text-deny text-sm">could not be loaded: {failureSentence(metrics.error)}</span>
        )}
      </div>
      {metrics.data && metrics.data.lines.length > 0 ? <Differences metrics={metrics.data} /> : null}
    </section>
  );
}

function wordsFor({ sessions, differing }: ClientMetricsView): string {
  const all = plural(sessions, "session day");
  return differing === 0 ? `all of ${all} agree` : `${formatCount(differing)} of ${all} differ`;
}

type Line = ClientMetricsView["lines"][number];

function Differences({ metrics: { lines, isCut } }: { metrics: ClientMetricsView }) {
  return (
    <details className="mt-1">
      <summary className="text-sm">Differences</summary>
      <div className="relative mt-2 overflow-x-auto">
        <table className="w-full text-sm">
          <thead className="text-left text-faint">
            <tr>
              <th className="pr-4 font-normal">Day</th>
              <th className="pr-4 font-normal">Session</th>
              <th className="pr-4 text-right font-normal">Calls</th>
              <th className="pr-4 text-right font-normal">Cost by metrics</th>
              <th className="pr-4 text-right font-normal">In the ledger</th>
              <th className="pr-4 text-right font-normal">Tokens by metrics</th>
              <th className="text-right font-normal">In the ledger</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <DifferenceRow key={`${line.day} ${line.agentId} ${line.sessionId}`} line={line} />
            ))}
          </tbody>
        </table>
      </div>
      {isCut ? <p className="text-faint text-sm">The newest {lines.length} are shown.</p> : null}
    </details>
  );
}

function DifferenceRow({ line }: { line: Line }) {
  const hrefOf = useCallsHref();
  const { day, sessionId, calls, nano, ledgerNano, tokens, ledgerTokens } = line;
  return (
    <tr>
      <td className="whitespace-nowrap pr-4">{day}</td>
      <td className="pr-4">
        <Link className="link font-mono" href={hrefOf("session", sessionId)}>
          {sessionId.slice(0, 8)}
        </Link>
      </td>
      <td className="pr-4 text-right">{formatCount(calls)}</td>
      <td className="pr-4 text-right">
        {nano === null ? <Missing reason="The client's metrics say no cost." /> : exactMoney(nano)}
      </td>
      <td className="pr-4 text-right">{exactMoney(ledgerNano)}</td>
      <td className="pr-4 text-right">
        {tokens === null ? <Missing reason="The client's metrics say no tokens." /> : formatCount(tokens)}
      </td>
      <td className="text-right">{formatCount(ledgerTokens)}</td>
    </tr>
  );
}
