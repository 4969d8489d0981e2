"use client";

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";

/** Across the top of every page while secrets are stored readable. */
export function RawBanner() {
  useLiveQueries(["audit"]);
  const trpc = useTRPC();
  const { data } = useQuery(trpc.audit.raw.queryOptions());
  if (data?.until == null || data.until.getTime() <= Date.now()) return null;
  return (
    <section
      aria-label="Raw capture"
      className="flex min-h-8 shrink-0 flex-wrap items-center justify-center gap-x-3 border-deny-line border-b bg-deny-soft px-4 py-1 font-medium text-deny text-sm"
    >
      <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
      <span>
        Inputs are stored with their secrets, until <RelativeTime at={data.until} look="clock" />.
      </span>
      <Link href="/audit?view=keeping" className="underline">
        Raw capture
      </Link>
    </section>
  );
}
