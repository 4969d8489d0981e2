import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { HaltsPage } from "@/components/halts/halts-page";

export const metadata: Metadata = { title: "Halts" };

export default async function Page() {
  await prefetch(trpc.halts.list.queryOptions());
  return (
    <HydrateClient>
      <HaltsPage />
    </HydrateClient>
  );
}
