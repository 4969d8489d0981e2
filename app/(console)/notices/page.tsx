import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { NoticesPage } from "@/components/notices/notices-page";

export const metadata: Metadata = { title: "Notices" };

export default async function Page() {
  await prefetch(trpc.notices.list.queryOptions());
  return (
    <HydrateClient>
      <NoticesPage />
    </HydrateClient>
  );
}
