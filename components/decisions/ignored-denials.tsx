"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { type DecisionRange, decisionFilters } from "@/server/decisions/schema";

const IgnoredNotice = loadWhenOpened(
  () => import("@/components/decisions/ignored-notice").then((one) => one.IgnoredNotice),
  "found",
);

/** Calls that this console denied and whose tool ran nevertheless: the agent's enrolment does not enforce denials. */
export function IgnoredDenials({ range, isShown }: { range: DecisionRange; isShown: boolean }) {
  const trpc = useTRPC();
  const filters = decisionFilters.parse({ outcome: ["denied_but_ran"] });
  const { data } = useQuery({
    ...trpc.decisions.arrived.queryOptions({ range, filters }),
    enabled: isShown,
    placeholderData: keepPreviousData,
  });
  return <IgnoredNotice found={isShown && data !== undefined && data.count > 0 ? data : null} />;
}
