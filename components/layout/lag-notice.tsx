"use client";

import { useQuery } from "@tanstack/react-query";
import { Hourglass } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";

const ASK_EVERY_MS = 5_000;
/** Shorter than this, nobody who reads a page could tell. */
const SHOWN_FROM_MS = 2_000;

/** Across the top of every page while lists and sums lack what was recorded last. */
export function LagNotice() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.projections.lag.queryOptions(undefined, { refetchInterval: ASK_EVERY_MS }));
  if (data === undefined || data.ms < SHOWN_FROM_MS) return null;
  return (
    <section
      aria-label="Figures are behind"
      role="status"
      className="flex min-h-8 shrink-0 items-center justify-center gap-x-3 border-ask-line border-b bg-ask-soft px-4 py-1 text-ask text-sm"
    >
      <Hourglass aria-hidden className="size-3.5 shrink-0" />
      <span>
        Lists and figures are {lengthOf(data.ms)} behind. What agents did meanwhile is recorded, and shows when they
        have caught up.
      </span>
    </section>
  );
}

function lengthOf(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
