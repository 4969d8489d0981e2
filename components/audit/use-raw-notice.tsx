"use client";

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { PageNotice } from "@/components/layout/notices/notices-context";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";

/** On every page while secrets are stored readable. */
export function useRawNotice(): PageNotice | null {
  useLiveQueries(["audit"]);
  const trpc = useTRPC();
  const { data } = useQuery(trpc.audit.raw.queryOptions());
  if (data?.until == null || data.until.getTime() <= Date.now()) return null;
  return {
    id: "raw",
    label: "Raw capture",
    kind: "danger",
    icon: TriangleAlert,
    text: (
      <>
        Secrets in stored inputs are not masked until <RelativeTime at={data.until} look="clock" />. Inputs stored
        before then keep their secrets.
      </>
    ),
    action: (
      <Button size="sm" asChild>
        <Link href="/settings/data">Raw capture</Link>
      </Button>
    ),
  };
}
