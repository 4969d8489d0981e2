"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FoldVertical } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { formatTokens, plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import type { CompactionSpendView } from "@/server/costs/schema";

const UNKNOWN =
  "Agents report no cost for the model call that writes a summary, because it does not pass through a hook.";

/** The number of compactions and their size in tokens; their cost is unknown. */
export function CompactionSpend({ input, during }: { input: { from: Date; to: Date }; during: string }) {
  const trpc = useTRPC();
  const spend = useQuery({ ...trpc.costs.compactions.queryOptions(input), placeholderData: keepPreviousData });
  return (
    <section
      aria-label="Spent on compactions"
      className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 rounded-md border bg-surface px-4 py-2"
    >
      <FoldVertical aria-hidden className="size-3.5 text-faint" />
      <h2 className="font-normal text-muted text-sm">Compactions (cost not included in spend)</h2>
      {spend.data ? (
        <>
          <Missing reason={spend.data.applied === 0 ? `No summary was applied ${during}.` : UNKNOWN} />
          <span className="text-muted">{wordsFor(spend.data, during)}</span>
        </>
      ) : spend.isError ? (
        <span className="text-deny text-sm">could not be loaded: {failureSentence(spend.error)}</span>
      ) : (
        <Skeleton className="w-40" />
      )}
      <Link className="link ml-auto text-sm" href="/activity/compactions">
        Compactions
      </Link>
    </section>
  );
}

function wordsFor({ applied, supplied, tokensBefore, untold }: CompactionSpendView, during: string): string {
  if (applied === 0) return `no summary was applied ${during}`;
  const size = untold === applied ? "of unreported size" : `of ${formatTokens(tokensBefore)} tokens`;
  return [
    `${plural(applied, "summary", "summaries")} ${size}, cost not reported`,
    supplied === 0 ? null : `${supplied} supplied by hooks`,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}
