import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { ExtensionsPage } from "@/components/extensions/extensions-page";
import { extensionsInput, filterKeys, sortOf } from "@/components/extensions/query";
import { titleOf } from "@/components/layout/nav";
import { parseFilter } from "@/components/ui/filter/filter-text";

export const metadata: Metadata = { title: titleOf("/agents/extensions") };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  const input = extensionsInput(parseFilter(text("q") ?? "", filterKeys), sortOf(text("sort")));
  await prefetch(trpc.extensions.list.infiniteQueryOptions(input, { getNextPageParam: (page) => page.next }));
  return (
    <HydrateClient>
      <ExtensionsPage />
    </HydrateClient>
  );
}
