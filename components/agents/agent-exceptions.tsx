"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { ErrorLine } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { exceptionTitle } from "@/server/exceptions/schema";

/**
 * The exceptions in force that reach an agent, below the policies they belong to. Renders nothing without exceptions.
 */
export function AgentExceptions({ agentId }: { agentId: string }) {
  useLiveQueries(["exceptions"]);
  const trpc = useTRPC();
  const touching = useQuery(trpc.exceptions.touching.queryOptions({ of: "agent", agentId }));
  if (touching.error) return <ErrorLine>{failureSentence(touching.error)}</ErrorLine>;
  if (!touching.data || touching.data.length === 0) return null;
  return (
    <ul
      aria-label="Exceptions from policy rules that apply to this agent"
      className="flex flex-col gap-1 text-ask text-sm"
    >
      {touching.data.map((one) => (
        <li key={one.id} className="break-words">
          Except: {exceptionTitle(one)}. {one.rules.map(({ policy }) => policy).join(" and ")}{" "}
          {one.lifts === "verdict" ? "does not deny or ask" : "does not ask"} until <RelativeTime at={one.expiresAt} />{" "}
          (
          <Link className="link" href="/approvals/exceptions">
            {one.number === null ? "an exception" : `EX-${one.number}`}
          </Link>{" "}
          of {one.madeBy})
        </li>
      ))}
    </ul>
  );
}
