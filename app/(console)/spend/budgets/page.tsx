import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { BudgetsPage } from "@/components/budgets/budgets-page";
import { titleOf } from "@/components/layout/nav";

export const metadata: Metadata = { title: titleOf("/spend/budgets") };

export default async function Page() {
  await prefetch(trpc.budgets.statuses.queryOptions(), trpc.calendar.view.queryOptions());
  return (
    <HydrateClient>
      <BudgetsPage />
    </HydrateClient>
  );
}
