import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { SettingsPage } from "@/components/settings/settings-page";

export const metadata: Metadata = { title: "Settings" };

export default async function Page() {
  await prefetch(trpc.access.security.queryOptions());
  return (
    <HydrateClient>
      <SettingsPage />
    </HydrateClient>
  );
}
