"use client";

import { useEffect, useRef } from "react";
import { sampledCallsText } from "@/components/policies/review/impact-text";
import { useImpact } from "@/components/policies/review/use-impact";
import { ErrorLine } from "@/components/ui/error-state";
import { Spinner } from "@/components/ui/spinner";
import type { ImpactView } from "@/server/backtest/schema";

/** The effect that a pack would have had on the last 24 hours, measured as soon as it is shown. */
export function PackImpact({ packId }: { packId: string }) {
  const { impact, start } = useImpact();
  const latest = useRef(start);
  latest.current = start;
  // Synchronises with the server: one measurement for each pack that is shown.
  useEffect(() => latest.current({ packId }), [packId]);
  if (impact.phase === "failed") return <ErrorLine>{impact.failure}</ErrorLine>;
  if (impact.phase !== "measured")
    return (
      <p role="status" className="flex items-center gap-2 text-muted">
        <Spinner /> Previewing on your last 24 h…
      </p>
    );
  return <p role="status">{packDenialText(impact.view)}</p>;
}

/** "The pack would have denied 3 of the last 40 tool calls and required approval for 2." */
export function packDenialText({ sampled, calls }: ImpactView): string {
  if (sampled === 0) return "No calls in the last 24 h, so there is no preview.";
  const asked = calls.asked === 0 ? "" : ` and required approval for ${calls.asked}`;
  const rest = calls.unknown === 0 ? "" : ` The effect on ${calls.unknown} is unknown.`;
  return `The pack would have denied ${calls.denied} of the last ${sampledCallsText(calls)}${asked}.${rest}`;
}
