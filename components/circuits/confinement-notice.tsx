"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Notice } from "@/components/ui/notice";

/** What does not hold for command hooks on this server. Nothing where they are contained as documented. */
export function ConfinementNotice() {
  const trpc = useTRPC();
  const confinement = useQuery(trpc.circuits.confinement.queryOptions(undefined, { staleTime: 60_000 }));
  if (!confinement.data || confinement.data.cutsNetwork) return null;
  const { sandbox } = confinement.data;
  return (
    <div className="shrink-0 p-3 pb-0 md:px-6">
      <Notice kind="warning">
        {sandbox === "none"
          ? "Bubblewrap does not work on this server. Command hooks have limits, but read what the server reads and reach the network, with or without network: true. Install bubblewrap to contain them."
          : "This server cannot cut command hooks off the network: they reach it with or without network: true."}
      </Notice>
    </div>
  );
}
