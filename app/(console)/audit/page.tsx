import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { AuditPage } from "@/components/audit/audit-page";
import { auditInput, filterKeys, openSeq } from "@/components/audit/query";
import { titleOf } from "@/components/layout/nav";
import { resolveRange } from "@/components/layout/time-range/range";
import { parseFilter } from "@/components/ui/filter/filter-text";

export const metadata: Metadata = { title: titleOf("/audit") };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  const { from, to } = resolveRange(text("range"), Date.now(), "30d");
  const input = auditInput({ from, to }, parseFilter(text("q") ?? "", filterKeys));
  const seq = openSeq(text("open"));
  await prefetch(
    trpc.audit.list.infiniteQueryOptions(input, { getNextPageParam: (page) => page.next }),
    trpc.audit.facets.queryOptions({ range: input.range }),
    ...(seq === null ? [] : [trpc.audit.get.queryOptions({ seq })]),
  );
  return (
    <HydrateClient>
      <AuditPage />
    </HydrateClient>
  );
}
