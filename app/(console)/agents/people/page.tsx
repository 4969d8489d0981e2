import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { titleOf } from "@/components/layout/nav";
import { PeoplePage } from "@/components/principals/people-page";

export const metadata: Metadata = { title: titleOf("/agents/people") };

export default async function Page() {
  await prefetch(trpc.principals.people.queryOptions());
  return (
    <HydrateClient>
      <PeoplePage />
    </HydrateClient>
  );
}
