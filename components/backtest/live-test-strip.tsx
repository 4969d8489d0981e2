"use client";

import { useQuery } from "@tanstack/react-query";
import { Radio } from "lucide-react";
import { newDenialsText } from "@/components/backtest/backtest-text";
import { hrefOf, refreshMs } from "@/components/backtest/run-state";
import { useTRPC } from "@/components/trpc/client";
import { useNow } from "@/components/ui/format/clock";
import { clockTime } from "@/components/ui/format/instant";
import { Link } from "@/components/ui/link";

/** The live test of the draft in a sentence; nothing without one. The draft has no effect on agents. */
export function LiveTestStrip({ policyId }: { policyId: string }) {
  const trpc = useTRPC();
  const nowMs = useNow(60_000);
  const { data: found } = useQuery({
    ...trpc.backtest.live.queryOptions({ policyId }),
    refetchInterval: ({ state }) => refreshMs(state.data ? [state.data.run] : []),
  });
  if (!found) return null;
  const { run } = found;
  const { isDraft, askedAt, state } = run;
  return (
    <section
      aria-label="Live test"
      className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1.5 text-sm md:px-6"
    >
      <Radio aria-hidden className="size-4 shrink-0 text-observe" />
      <p className="min-w-0 flex-1 basis-56">
        {isDraft ? "Draft" : "A text that is not the current draft"} {state === "following" ? "tried" : "was tried"} on
        live traffic since {nowMs === null ? "its start" : clockTime(askedAt, nowMs)}, without effect on agents:{" "}
        {newDenialsText(found)}.
      </p>
      <Link className="link" href={hrefOf(run)}>
        Open the live test
      </Link>
    </section>
  );
}
