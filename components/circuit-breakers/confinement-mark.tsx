"use client";

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { Link } from "@/components/ui/link";
import { Tooltip } from "@/components/ui/tooltip";

const TEXTS: Readonly<Record<string, string>> = {
  missing:
    "This server has no working sandbox, so command hooks do not run and the calls they guard are denied. The Health page lists what to install.",
  none: "Command hooks run without a sandbox and can read this server's database and secrets. The Health page lists what to install.",
};

/** An icon where command hooks have no sandbox on this server; Health has the whole of it. None where they have one. */
export function ConfinementMark() {
  const trpc = useTRPC();
  const confinement = useQuery(trpc.circuitBreakers.confinement.queryOptions(undefined, { staleTime: 60_000 }));
  const text = TEXTS[confinement.data?.sandbox ?? ""];
  if (text === undefined) return null;
  return (
    <Tooltip content={text}>
      <Link href="/settings/health" aria-label={`No sandbox: ${text}`} className="inline-flex text-danger">
        <TriangleAlert aria-hidden className="size-4" />
      </Link>
    </Tooltip>
  );
}
