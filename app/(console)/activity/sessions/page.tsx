import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { titleOf } from "@/components/layout/nav";
import { resolveRange } from "@/components/layout/time-range/range";
import { filterKeys, sessionsInput } from "@/components/sessions/query";
import { SessionsPage } from "@/components/sessions/sessions-page";
import { parseFilter } from "@/components/ui/filter/filter-text";

export const metadata: Metadata = { title: titleOf("/activity/sessions") };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  const { from, to } = resolveRange(text("range"), Date.now(), "24h", true);
  const input = sessionsInput({ from, to }, parseFilter(text("q") ?? "", filterKeys));
  await prefetch(trpc.sessions.list.infiniteQueryOptions(input, { getNextPageParam: (page) => page.next }));
  return (
    <HydrateClient>
      <SessionsPage />
    </HydrateClient>
  );
}
