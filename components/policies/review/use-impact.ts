"use client";

import { useEffect, useRef, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import type { BacktestTarget, ImpactProgress, ImpactView, MeasurePack } from "@/server/backtest/schema";

export type Impact =
  | { readonly phase: "idle" }
  | { readonly phase: "running"; readonly done: number; readonly of: number }
  | { readonly phase: "measured"; readonly view: ImpactView }
  | { readonly phase: "failed"; readonly failure: string };

/** Measures the effect of a text. Leaving the page, or `cancel`, ends the run on the server. */
export function useImpact(): {
  impact: Impact;
  start: (asked: BacktestTarget | MeasurePack) => void;
  cancel: () => void;
} {
  const client = useTRPCClient();
  const [impact, setImpact] = useState<Impact>({ phase: "idle" });
  const running = useRef<{ unsubscribe: () => void } | null>(null);
  // Synchronises with the server's look: it ends with the component.
  useEffect(() => () => running.current?.unsubscribe(), []);
  const end = () => {
    running.current?.unsubscribe();
    running.current = null;
  };
  return {
    impact,
    start(asked) {
      end();
      setImpact({ phase: "running", done: 0, of: 0 });
      const fail = (error: unknown) => {
        end();
        setImpact({ phase: "failed", failure: failureSentence(error) });
      };
      const observer = {
        onData: (progress: ImpactProgress) => {
          if (progress.kind === "progress") setImpact({ phase: "running", done: progress.done, of: progress.of });
          else {
            // Before the stream is taken for lost and asked for again.
            end();
            setImpact({ phase: "measured", view: progress.view });
          }
        },
        onError: fail,
        // A lost stream would be begun anew by itself, and with it everything it runs.
        onConnectionStateChange: ({ state, error }: { state: string; error?: unknown }) => {
          if (state === "connecting" && error) fail(error);
        },
      };
      running.current =
        "packId" in asked
          ? client.backtest.pack.subscribe(asked, observer)
          : client.backtest.measure.subscribe(asked, observer);
    },
    cancel() {
      end();
      setImpact({ phase: "idle" });
    },
  };
}
