"use client";

import { useQuery } from "@tanstack/react-query";
import { OctagonX } from "lucide-react";
import { closed, subjectTitle } from "@/components/halts/labels";
import type { PageNotice } from "@/components/layout/notices/notices-context";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";

/** On every page while anything is halted: the widest halt, by whom and why. Nobody can dismiss it. */
export function useHaltNotice(): PageNotice | null {
  useLiveQueries(["halts"]);
  const trpc = useTRPC();
  const halted = useQuery(trpc.halts.inForce.queryOptions()).data;
  const first = halted?.first;
  if (!first) return null;
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
    action: (
      <Button asChild size="sm">
        <Link href="/halts">Show halts</Link>
      </Button>
    ),
  };
}
