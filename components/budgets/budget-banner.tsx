"use client";

import { useQuery } from "@tanstack/react-query";
import { aboutWords } from "@/components/budgets/labels";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";

/** One sentence above a page while a budget warns or is closed; nothing else, also when it cannot be known. */
export function BudgetBanner() {
  useLiveQueries(["budgets"]);
  const trpc = useTRPC();
  const { data = [] } = useQuery(trpc.budgets.standings.queryOptions());
  const shut = data.filter(({ state, sessions }) => !sessions && (state === "closed" || state === "over"));
  const warned = data.filter(({ state, sessions }) => !sessions && state === "warned");
  const [worst] = shut.length > 0 ? shut : warned;
  if (!worst) return null;
  const others = (shut.length > 0 ? shut : warned).length - 1;
  const says =
    worst.state === "closed"
      ? "has no room for another call"
      : worst.state === "over"
        ? "is overspent"
        : `has passed ${worst.passed} %`;
  return (
    <div className="px-4 pt-3 max-sm:px-3 md:px-6">
      <Notice kind={shut.length > 0 ? "danger" : "warning"}>
        The budget {worst.name} for {aboutWords(worst)} {says}
        {others > 0 ? `, and ${others} more` : ""}.{" "}
        <Link href={`/budgets?open=${worst.id}`} className="underline underline-offset-2">
          Budgets
        </Link>
      </Notice>
    </div>
  );
}
