"use client";

import { useQuery } from "@tanstack/react-query";
import { OctagonX } from "lucide-react";
import { usePathname } from "next/navigation";
import { z } from "zod";
import { closed, subjectTitle } from "@/components/halts/labels";
import type { PageNotice } from "@/components/layout/notices/notices-context";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";

/**
 * A notice on every page during a halt: the widest halt, by whom and why. It cannot be dismissed. An agent's page shows
 * the halts of that agent in full, so there the notice names only the others.
 */
export function useHaltNotice(): PageNotice | null {
  useLiveQueries(["halts"]);
  const trpc = useTRPC();
  const halted = useQuery(trpc.halts.inForce.queryOptions()).data;
  const onPage = useHaltsOfShownAgent();
  const first = halted?.first;
  if (!first) return null;
  if (onPage > 0) return halted.count > onPage ? othersNotice(halted.count - onPage) : null;
  const others = halted.count - 1;
  return {
    id: "halts",
    label: "Halted",
    kind: "danger",
    icon: OctagonX,
    text: (
      <>
        <strong>
          {first.isQuarantine ? `${subjectTitle(first)} is in quarantine` : `${subjectTitle(first)} is halted`}
        </strong>{" "}
        by {first.haltedBy}, <RelativeTime at={first.haltedAt} />: {closed(first.reason)}
        {others > 0 ? ` ${others} more.` : ""}
      </>
    ),
    action: ACTION,
  };
}

const ACTION = (
  <Button asChild size="sm">
    <Link href="/audit/halts">Show halts</Link>
  </Button>
);

const othersNotice = (count: number): PageNotice => ({
  id: "halts",
  label: "Other halts",
  kind: "danger",
  icon: OctagonX,
  text: `${plural(count, "other halt")} in force, for other agents or sessions.`,
  action: ACTION,
});

/** The number of halts that an agent's page itself shows; 0 on every other page. */
function useHaltsOfShownAgent(): number {
  const trpc = useTRPC();
  const agentId = z.uuid().safeParse(/^\/agents\/([^/]+)$/.exec(usePathname())?.[1]).data;
  const asked = trpc.halts.ofAgent.queryOptions({ agentId: agentId ?? "" }, { enabled: agentId !== undefined });
  return useQuery(asked).data?.halts.length ?? 0;
}
