"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { formatCount, plural } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { INVENTORY_DAYS, type UncheckedToolsView } from "@/server/inventory/schema";

/** The tools of an agent that no rule checks. */
export function UncheckedTools({ agentId }: { agentId: string }) {
  useLiveQueries(["agents", "policies"]);
  const trpc = useTRPC();
  const { data, error, refetch, isFetching } = useQuery(trpc.inventory.unchecked.queryOptions({ agentId }));
  return (
    <Section
      title="Tools"
      aside={`last ${INVENTORY_DAYS} days`}
      actions={
        <Button asChild size="sm">
          <Link href={`/agents/tools?allow=${agentId}`}>Allow list…</Link>
        </Button>
      }
    >
      {error ? (
        <ErrorState
          compact
          title="The agent's tools could not be loaded"
          reason={failureSentence(error)}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : data === undefined ? (
        <Loading label="its tools">
          <SkeletonText lines={3} />
        </Loading>
      ) : (
        <Unchecked tools={data} />
      )}
    </Section>
  );
}

function Unchecked({ tools: { names, unchecked, total, hasMore } }: { tools: UncheckedToolsView }) {
  if (total === 0) return <p className="text-muted text-sm">No tool was called in the last {INVENTORY_DAYS} days.</p>;
  const more = hasMore ? (
    <p className="text-muted text-sm">
      The agent called other tools too. Their names are not stored, so these tools are counted together.
    </p>
  ) : null;
  if (unchecked === 0)
    return (
      <>
        <p className="text-sm">A rule checks {total === 1 ? "its tool" : `each of its ${formatCount(total)} tools`}.</p>
        {more}
      </>
    );
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Mark tone="unknown" label="No rule" /> {formatCount(unchecked)} of {plural(total, "tool")}
      </p>
      <ul aria-label="Tools without a rule" className="flex flex-wrap gap-1.5">
        {names.map((name) => (
          <li
            key={name}
            className="max-w-full truncate rounded-sm border bg-surface px-1.5 font-mono text-sm"
            title={name}
          >
            {name}
          </li>
        ))}
        {unchecked > names.length ? (
          <li className="text-muted text-sm">and {formatCount(unchecked - names.length)} more</li>
        ) : null}
      </ul>
      {more}
    </>
  );
}
