import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { JudgesPage } from "@/components/judges/judges-page";
import { callsInput, filterKeys, viewOf } from "@/components/judges/query";
import { titleOf } from "@/components/layout/nav";
import { resolveRange } from "@/components/layout/time-range/range";
import { parseFilter } from "@/components/ui/filter/filter-text";
import { parseJudgeCall } from "@/server/judges/schema";

export const metadata: Metadata = { title: titleOf("/policies/judges") };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  const { from, to } = resolveRange(text("range"), Date.now(), "24h");
  const input = { from, to };
  const isCalls = viewOf(text("view"), text("q")) === "calls";
  const calls = callsInput(input, parseFilter(text("q") ?? "", filterKeys));
  const open = parseJudgeCall(text("open"));
  await prefetch(
    trpc.judges.connections.queryOptions(),
    trpc.judges.summary.queryOptions(input),
    ...(isCalls ? [trpc.judges.calls.infiniteQueryOptions(calls, { getNextPageParam: (page) => page.next })] : []),
    ...(isCalls && open ? [trpc.judges.callDetail.queryOptions(open)] : []),
  );
  return (
    <HydrateClient>
      <JudgesPage />
    </HydrateClient>
  );
}
