"use client";

import { useQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { observedWords, untilWords } from "@/components/policies/rollout/monitor-mode-text";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { useNow } from "@/components/ui/format/clock";
import { Link } from "@/components/ui/link";

/** Every policy that answers nobody now, wherever one looks for whether the gate works. */
export function ObservedNotice() {
  useLiveQueries(["observations", "policies"]);
  const trpc = useTRPC();
  const nowMs = useNow(10_000);
  const sums = useQuery(trpc.observations.sums.queryOptions());
  const rows = sums.data ?? [];
  if (rows.length === 0) return null;
  return (
    <section
      aria-label="Observed only"
      className="shrink-0 border-observe-line border-b bg-observe-soft px-4 py-2 text-sm md:px-6"
    >
      <ul className="flex flex-col gap-1">
        {rows.map((row) => (
          <li key={row.policyId} className="flex items-start gap-2">
            <Eye aria-hidden className="mt-0.5 size-4 shrink-0 text-observe" />
            <span>
              <Link className="link font-semibold" href={`/policies/${row.policyId}`}>
                {row.name}
              </Link>{" "}
              <strong className="font-semibold text-observe">is observed only.</strong> {observedWords(row)}{" "}
              {untilWords(row.until, nowMs)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
