import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { titleOf } from "@/components/layout/nav";
import { NotificationsPage } from "@/components/notices/notifications-page";

export const metadata: Metadata = { title: titleOf("/settings/notifications") };

export default async function Page() {
  await prefetch(trpc.notices.choices.queryOptions());
  return (
    <HydrateClient>
      <NotificationsPage />
    </HydrateClient>
  );
}
