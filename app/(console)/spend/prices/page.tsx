import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { PricesPage } from "@/components/costs/prices-page";
import { titleOf } from "@/components/layout/nav";
import { resolveRange } from "@/components/layout/time-range/range";

export const metadata: Metadata = { title: titleOf("/spend/prices") };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  const { from, to } = resolveRange(text("range"), Date.now(), "24h", true);
  await prefetch(trpc.costs.summary.queryOptions({ from, to }), trpc.prices.lists.queryOptions());
  return (
    <HydrateClient>
      <PricesPage />
    </HydrateClient>
  );
}
