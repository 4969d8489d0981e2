import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { PromptsPage } from "@/components/judges/prompts/prompts-page";
import { titleOf } from "@/components/layout/nav";

export const metadata: Metadata = { title: titleOf("/policies/prompts") };

export default async function Page() {
  await prefetch(trpc.prompts.list.queryOptions());
  return (
    <HydrateClient>
      <PromptsPage />
    </HydrateClient>
  );
}
