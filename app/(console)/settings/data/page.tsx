import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { DataLifecyclePage } from "@/components/audit/data-lifecycle-page";
import { titleOf } from "@/components/layout/nav";

export const metadata: Metadata = { title: titleOf("/settings/data") };

export default async function Page() {
  await Promise.all([prefetch(trpc.audit.state.queryOptions()), prefetch(trpc.maskingSettings.get.queryOptions())]);
  return (
    <HydrateClient>
      <DataLifecyclePage />
    </HydrateClient>
  );
}
