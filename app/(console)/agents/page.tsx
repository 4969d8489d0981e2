import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { AgentsPage } from "@/components/agents/agents-page";
import { agentsInput, filterKeys, sortOf } from "@/components/agents/query";
import { titleOf } from "@/components/layout/nav";
import { parseFilter } from "@/components/ui/filter/filter-text";
import { agentById } from "@/server/agents/schema";

export const metadata: Metadata = { title: titleOf("/agents") };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  // An agent was a drawer of the list once; links to it lead to its page.
  const open = agentById.safeParse({ agentId: text("open") });
  if (open.success) redirect(`/agents/${open.data.agentId}`);
  const input = agentsInput(parseFilter(text("q") ?? "", filterKeys), sortOf(text("sort")));
  await prefetch(
    trpc.agents.search.infiniteQueryOptions(input, { getNextPageParam: (page) => page.next }),
    trpc.agents.counts.queryOptions(),
    trpc.agents.groups.queryOptions(),
    trpc.principals.names.queryOptions(),
  );
  return (
    <HydrateClient>
      <AgentsPage />
    </HydrateClient>
  );
}
