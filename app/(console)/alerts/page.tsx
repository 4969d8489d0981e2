import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { AlertsPage } from "@/components/alerts/alerts-page";

export const metadata: Metadata = { title: "Alerts" };

export default async function Page() {
  await prefetch(
    trpc.alerts.list.queryOptions(),
    trpc.alerts.history.infiniteQueryOptions({ limit: 20 }, { getNextPageParam: (page) => page.next }),
  );
  return (
    <HydrateClient>
      <AlertsPage />
    </HydrateClient>
  );
}
