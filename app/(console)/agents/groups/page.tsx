import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { GroupsPage } from "@/components/agents/groups-page";
import { titleOf } from "@/components/layout/nav";

export const metadata: Metadata = { title: titleOf("/agents/groups") };

export default async function Page() {
  await prefetch(trpc.agents.groups.queryOptions(), trpc.agents.counts.queryOptions());
  return (
    <HydrateClient>
      <GroupsPage />
    </HydrateClient>
  );
}
