"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallsHref } from "@/components/decisions/approval-sources/calls-href";
import { useTRPC } from "@/components/trpc/client";
import { formatCount } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { type DecisionRange, decisionFilters } from "@/server/decisions/schema";

/** Calls that this console denied and whose tool ran nevertheless: the agent's enrolment does not enforce denials. */
export function IgnoredDenials({ range, isShown }: { range: DecisionRange; isShown: boolean }) {
  const trpc = useTRPC();
  const filters = decisionFilters.parse({ outcome: ["denied_but_ran"] });
  const { data } = useQuery({
    ...trpc.decisions.arrived.queryOptions({ range, filters }),
    enabled: isShown,
    placeholderData: keepPreviousData,
  });
  const href = useCallsHref();
  if (!isShown || data === undefined || data.count === 0) return null;
  const count = `${data.isWhole ? "" : "At least "}${formatCount(data.count)}`;
  return (
    <Notice
      kind="danger"
      className="mb-3 shrink-0"
      action={
        <Link href={href([{ key: "outcome", value: "denied_but_ran" }])} className="underline">
          Show {data.count === 1 ? "it" : "them"}
        </Link>
      }
    >
      {count} denied {data.count === 1 ? "call" : "calls"} ran: the agent did not obey the denial.
    </Notice>
  );
}
