import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { titleOf } from "@/components/layout/nav";
import { ProfileTab } from "@/components/settings/profile-tab";
import { SettingsPage } from "@/components/settings/settings-page";

export const metadata: Metadata = { title: titleOf("/settings") };

export default async function Page() {
  await prefetch(trpc.access.security.queryOptions());
  return (
    <HydrateClient>
      <SettingsPage>
        <ProfileTab />
      </SettingsPage>
    </HydrateClient>
  );
}
