"use client";

import { useQuery } from "@tanstack/react-query";
import { Wallet } from "lucide-react";
import { aboutWords } from "@/components/budgets/labels";
import type { PageNotice } from "@/components/layout/notices/notices-context";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

/** One sentence while a budget warns or is closed; otherwise, and when it is unknown, none. */
export function useBudgetNotice(): PageNotice | null {
  useLiveQueries(["budgets"]);
  const trpc = useTRPC();
  const { data = [] } = useQuery(trpc.budgets.overThreshold.queryOptions());
  const shut = data.filter(({ state }) => state !== "warned");
  const grave = shut.length > 0 ? shut : data;
  const [worst] = grave;
  if (!worst) return null;
  const others = grave.length - 1;
  const says =
    worst.state === "closed" ? "used up" : worst.state === "over" ? "overspent" : `more than ${worst.passed} % used`;
  return {
    id: "budgets",
    label: "Budgets",
    kind: shut.length > 0 ? "danger" : "warning",
    icon: Wallet,
    text: `Budget of ${aboutWords(worst)} ${says}: “${worst.name}”${others > 0 ? `, and ${others} more` : ""}.`,
    action: (
      <Button size="sm" asChild>
        <Link href={`/spend/budgets?open=${worst.id}`}>Show budget</Link>
      </Button>
    ),
    occurrence: `budgets ${grave.map(({ id, state, passed, periodStart }) => `${id} ${state} ${passed} ${periodStart?.getTime()}`).join()}`,
  };
}
