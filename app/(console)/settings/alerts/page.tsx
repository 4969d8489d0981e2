import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { AlertsPage } from "@/components/alerts/alerts-page";
import { titleOf } from "@/components/layout/nav";
import { RoutesView } from "@/components/notices/routes-view";

export const metadata: Metadata = { title: titleOf("/settings/alerts") };

export default async function Page() {
  await prefetch(
    trpc.alerts.list.queryOptions(),
    trpc.alerts.history.infiniteQueryOptions({ limit: 20 }, { getNextPageParam: (page) => page.next }),
    trpc.notices.routes.queryOptions(),
  );
  return (
    <HydrateClient>
      <AlertsPage routes={<RoutesView />} />
    </HydrateClient>
  );
}
