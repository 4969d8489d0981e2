import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { titleOf } from "@/components/layout/nav";
import { NoticesPage } from "@/components/notices/notices-page";

export const metadata: Metadata = { title: titleOf("/notices") };

export default async function Page() {
  await prefetch(trpc.notices.list.queryOptions());
  return (
    <HydrateClient>
      <NoticesPage />
    </HydrateClient>
  );
}
