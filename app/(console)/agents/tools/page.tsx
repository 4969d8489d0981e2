import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { filterKeys, sortOf, toolsInput } from "@/components/inventory/query";
import { ToolsPage } from "@/components/inventory/tools-page";
import { titleOf } from "@/components/layout/nav";
import { parseFilter } from "@/components/ui/filter/filter-text";

export const metadata: Metadata = { title: titleOf("/agents/tools") };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  const input = toolsInput(parseFilter(text("q") ?? "", filterKeys), sortOf(text("sort")));
  await prefetch(trpc.inventory.list.infiniteQueryOptions(input, { getNextPageParam: (page) => page.next }));
  return (
    <HydrateClient>
      <ToolsPage />
    </HydrateClient>
  );
}
