import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { titleOf } from "@/components/layout/nav";
import { PublishingTab } from "@/components/settings/publishing-tab";
import { SettingsPage } from "@/components/settings/settings-page";

export const metadata: Metadata = { title: titleOf("/settings/publishing") };

export default async function Page() {
  await prefetch(trpc.policies.requirements.queryOptions());
  return (
    <HydrateClient>
      <SettingsPage>
        <PublishingTab />
      </SettingsPage>
    </HydrateClient>
  );
}
