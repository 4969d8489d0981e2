"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Notice } from "@/components/ui/notice";

const TEXTS: Readonly<Record<string, string>> = {
  missing:
    "Command hooks are refused on this server, because no sandbox works on it; where they guard something, it is denied. Install bubblewrap and start the server again.",
  none: "Command hooks run without a sandbox on this server: they read the database and every secret of it. Install bubblewrap and unset QUARTERDECK_RUN_HOOKS_WITHOUT_SANDBOX.",
};

/** The limits that do not hold for command hooks on this server; none is missing where they run in a sandbox. */
export function ConfinementNotice() {
  const trpc = useTRPC();
  const confinement = useQuery(trpc.circuits.confinement.queryOptions(undefined, { staleTime: 60_000 }));
  const text = TEXTS[confinement.data?.sandbox ?? ""];
  if (text === undefined) return null;
  return (
    <div className="shrink-0 p-3 pb-0 md:px-6">
      <Notice kind="danger">{text}</Notice>
    </div>
  );
}
