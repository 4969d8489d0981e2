import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { SettingsPage } from "@/components/settings/settings-page";

export const metadata: Metadata = { title: "Settings" };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  // Health was a tab of this page; links to it go on working.
  if ((await searchParams).tab === "health") redirect("/health");
  await prefetch(trpc.access.security.queryOptions());
  return (
    <HydrateClient>
      <SettingsPage />
    </HydrateClient>
  );
}
