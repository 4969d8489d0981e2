import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { RulesView } from "@/components/decisions/rules/rules-view";
import { titleOf } from "@/components/layout/nav";
import { resolveRange } from "@/components/layout/time-range/range";
import { parseRuleKey } from "@/server/decisions/rules/schema";

export const metadata: Metadata = { title: titleOf("/policies/performance") };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  const { from, to } = resolveRange(text("range"), Date.now());
  const rule = parseRuleKey(text("open"));
  await prefetch(
    trpc.rules.cards.queryOptions({ from, to }),
    ...(rule ? [trpc.rules.get.queryOptions({ from, to, rule })] : []),
  );
  return (
    <HydrateClient>
      <RulesView />
    </HydrateClient>
  );
}
