import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { titleOf } from "@/components/layout/nav";
import { ApprovalsTab } from "@/components/settings/approvals-tab";
import { SettingsPage } from "@/components/settings/settings-page";

export const metadata: Metadata = { title: titleOf("/approvals/answerers") };

export default async function Page() {
  await prefetch(trpc.approvals.rules.queryOptions());
  return (
    <HydrateClient>
      <SettingsPage>
        <ApprovalsTab />
      </SettingsPage>
    </HydrateClient>
  );
}
