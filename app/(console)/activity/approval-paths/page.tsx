import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { ApprovalSourcesView } from "@/components/decisions/approval-sources/approval-sources-view";
import { whichOf } from "@/components/decisions/query";
import { titleOf } from "@/components/layout/nav";
import { resolveRange } from "@/components/layout/time-range/range";

export const metadata: Metadata = { title: titleOf("/activity/approval-paths") };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  const { from, to } = resolveRange(text("range"), Date.now());
  const asked = { from, to, verdict: whichOf(text("which")) };
  await prefetch(
    trpc.decisions.approvalSources.queryOptions(asked),
    trpc.decisions.approvalSourceSeries.queryOptions(asked),
  );
  return (
    <HydrateClient>
      <ApprovalSourcesView />
    </HydrateClient>
  );
}
