"use client";

import { useQuery } from "@tanstack/react-query";
import { OctagonX } from "lucide-react";
import { HaltReach } from "@/components/halts/halt-reach";
import { closed, subjectTitle } from "@/components/halts/labels";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { HaltView, HaltReach as Reach } from "@/server/halts/schema";

/** The halts in force that reach an agent, and its local executors that have followed them. */
export function AgentHalts({ agentId }: { agentId: string }) {
  useLiveQueries(["halts", "agents"]);
  const trpc = useTRPC();
  const found = useQuery(trpc.halts.ofAgent.queryOptions({ agentId })).data;
  if (!found || found.halts.length === 0) return null;
  return (
    <>
      {found.halts.map((halt) => (
        <AgentHalt key={halt.id} halt={halt} reach={found.reach.find(({ haltId }) => haltId === halt.id)} />
      ))}
      {found.isUnreachable ? (
        <Notice kind="warning">
          This agent cannot be halted: it has no gateway key and follows a file on its own machine. Stop the agent on
          that machine.
        </Notice>
      ) : null}
    </>
  );
}

function AgentHalt({ halt, reach }: { halt: HaltView; reach: Reach | undefined }) {
  const { scope, isQuarantine, haltedAt, haltedBy, reason } = halt;
  return (
    <Notice
      kind="danger"
      icon={OctagonX}
      action={
        <Button asChild size="sm">
          <Link href="/audit/halts">Show halts</Link>
        </Button>
      }
    >
      <p className="break-words">
        <strong>
          {subjectTitle(halt)} is {isQuarantine ? "in quarantine" : "halted"}
        </strong>{" "}
        by {haltedBy}, <RelativeTime at={haltedAt} />: {closed(reason)}
        {scope === "session" ? " Its other sessions continue." : ""}
      </p>
      {reach ? (
        <div className="mt-1">
          <HaltReach reach={reach} />
        </div>
      ) : null}
    </Notice>
  );
}
