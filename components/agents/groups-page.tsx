"use client";

import { useQuery } from "@tanstack/react-query";
import { GroupsSection } from "@/components/agents/groups-section";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { ErrorState } from "@/components/ui/error-state";
import { printTerm } from "@/components/ui/filter/filter-text";
import { plural } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";

/** The groups of agents in order, and the tags in use. */
export function GroupsPage() {
  useLiveQueries(["agents", "policies"]);
  return (
    <>
      <PageHeader live />
      <PageBody>
        <GroupsSection />
        <TagsInUse />
      </PageBody>
    </>
  );
}

/** Each tag with the number of its agents. */
function TagsInUse() {
  const trpc = useTRPC();
  const counts = useQuery(trpc.agents.counts.queryOptions());
  const tags = counts.data?.tags;
  return (
    <Section title="Tags" aside={tags && tags.length > 0 ? plural(tags.length, "tag") : null}>
      {tags === undefined ? (
        counts.isError ? (
          <ErrorState
            compact
            title="The tags could not be loaded"
            reason={failureSentence(counts.error)}
            onRetry={() => void counts.refetch()}
            retrying={counts.isFetching}
          />
        ) : (
          <Loading label="the tags">
            <SkeletonText lines={2} />
          </Loading>
        )
      ) : tags.length === 0 ? (
        <p className="text-muted">No tags yet. Add tags on an agent's page.</p>
      ) : (
        <ul aria-label="Tags" className="flex flex-wrap gap-2">
          {tags.map(({ value, count }) => (
            <li key={value}>
              <Link
                className="flex h-7 items-center gap-1.5 rounded-md border bg-surface px-2 text-sm hover:bg-hover"
                href={`/agents?q=${encodeURIComponent(printTerm({ key: "tag", value }))}`}
              >
                <span className="max-w-60 truncate">{value}</span>
                <span className="text-muted tabular-nums">{plural(count, "agent")}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
