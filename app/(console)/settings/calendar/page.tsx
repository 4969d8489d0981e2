import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { titleOf } from "@/components/layout/nav";
import { CalendarTab } from "@/components/settings/calendar-tab";
import { SettingsPage } from "@/components/settings/settings-page";

export const metadata: Metadata = { title: titleOf("/settings/calendar") };

export default async function Page() {
  await prefetch(trpc.calendar.view.queryOptions());
  return (
    <HydrateClient>
      <SettingsPage>
        <CalendarTab />
      </SettingsPage>
    </HydrateClient>
  );
}
