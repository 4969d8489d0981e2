"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRecentRange } from "@/components/principals/use-recent-range";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { formatCount, plural } from "@/components/ui/format/count";
import { Money } from "@/components/ui/format/money";
import { shortMoney } from "@/components/ui/format/nano";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { LedgerView } from "@/server/costs/schema";

/** The spend of a person in the last 30 days, by agent. */
export function PersonSpend({ personId }: { personId: string }) {
  const trpc = useTRPC();
  const range = useRecentRange();
  const asked = {
    from: range?.from ?? new Date(0),
    to: range?.to ?? new Date(1),
    by: "person",
    split: "agent",
  } as const;
  const { data, error, refetch } = useQuery({
    ...trpc.costs.pivot.queryOptions(asked),
    enabled: range !== null,
    placeholderData: keepPreviousData,
  });
  const line = data?.lines.find(({ name }) => name === personId);
  return (
    <Section
      title="Spend"
      aside="last 30 days"
      actions={
        <Button asChild size="sm">
          <Link href={`/spend?view=calls&range=30d&q=${encodeURIComponent(`person:${personId}`)}`}>
            All model calls
          </Link>
        </Button>
      }
    >
      {data === undefined && error ? (
        <ErrorState
          compact
          title="The spend could not be loaded"
          reason={failureSentence(error)}
          onRetry={() => void refetch()}
        />
      ) : data === undefined ? (
        <Loading label="the spend">
          <SkeletonText lines={3} />
        </Loading>
      ) : line === undefined ? (
        <p className="text-muted text-sm">No model calls were reported for this person in the last 30 days.</p>
      ) : (
        <>
          <p>
            <span className="font-semibold text-lg">{sumOf(line.ledger)}</span>{" "}
            <span className="text-muted text-sm">{coverageOf(line.ledger)}</span>
          </p>
          <ul aria-label="Spend by agent" className="flex flex-col divide-y divide-line rounded-md border bg-surface">
            {line.parts.map(({ name, ledger, groups }) => (
              <li key={name ?? "others"} className="flex min-h-9 items-center gap-3 px-3 py-1">
                <span className="min-w-0 truncate">{name ?? plural(groups, "other agent")}</span>
                <span className="ml-auto shrink-0 text-muted text-sm">{plural(ledger.calls, "call")}</span>
                <span className="w-20 shrink-0 text-right">
                  {ledger.calls === ledger.unpriced ? "unpriced" : <Money nano={ledger.nano} />}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

const sumOf = ({ calls, unpriced, nano }: LedgerView): string => (calls === unpriced ? "unpriced" : shortMoney(nano));

const coverageOf = ({ calls, unpriced }: LedgerView): string =>
  `${formatCount(calls - unpriced)} of ${plural(calls, "model call")} priced`;
