"use client";

import { useQuery } from "@tanstack/react-query";
import { WaitingRow, type WaitingSource } from "@/components/layout/waiting/waiting-row";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { plural } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import type { GateGaps } from "@/server/policies/schema";

/** Rules that cannot stop an agent they are assigned to, and agents without an enforced policy. */
export function useGateGaps(): WaitingSource {
  const trpc = useTRPC();
  const gaps = useQuery(trpc.overview.gaps.queryOptions());
  return {
    label: "rules",
    items: gaps.data && gapRows(gaps.data).map((row) => ({ id: row.id, row: <GapRow {...row} /> })),
    failure: gaps.isError ? failureSentence(gaps.error) : null,
    onRetry: () => void gaps.refetch(),
  };
}

interface Gap {
  readonly id: string;
  /** The policy or the agents. */
  readonly name: string;
  readonly says: string;
  readonly href: string;
}

export function gapRows({ unheld: { policies, shown }, ungoverned: { agents, names } }: GateGaps): Gap[] {
  const morePolicies = policies - shown.length;
  const moreAgents = agents - names.length;
  const named = `${names.join(", ")}${moreAgents > 0 ? ` and ${plural(moreAgents, "more", "more")}` : ""}`;
  return [
    ...shown.map(({ policyId, policy, says }) => ({ id: policyId, name: policy, says, href: `/policies/${policyId}` })),
    ...(morePolicies > 0
      ? [
          {
            id: "more policies",
            name: plural(morePolicies, "more policy", "more policies"),
            says: "These policies cannot block the calls of some of their agents.",
            href: "/policies",
          },
        ]
      : []),
    ...(agents > 0
      ? [
          {
            id: "ungoverned",
            name: plural(agents, "agent has no enforced policy", "agents have no enforced policy"),
            says: `${named}. Calls pass unless a halt denies them.`,
            href: "/agents",
          },
        ]
      : []),
  ];
}

function GapRow({ name, says, href }: Gap) {
  return (
    <WaitingRow
      tone="ask"
      word="Gap"
      actions={
        <Button asChild>
          <Link href={href} aria-label={`Open ${name}`}>
            Open
          </Link>
        </Button>
      }
    >
      <span className="font-medium">{name}</span>: {says}
    </WaitingRow>
  );
}
