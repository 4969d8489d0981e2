"use client";

import { useRef, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { failureSentence, problemsOf } from "@/components/trpc/failure";
import type { PlaygroundReport, PlaygroundRun } from "@/server/playground/schema";

/** One side of a playground run: a run has one side, or two to compare. */
export interface Side {
  readonly label: string;
  readonly asked: PlaygroundRun;
  readonly report: PlaygroundReport | null;
  readonly failure: {
    readonly sentence: string;
    readonly problems: readonly { path: string; message: string }[];
  } | null;
}

export interface Runs {
  readonly sides: readonly Side[];
  readonly isRunning: boolean;
  start(sides: readonly Pick<Side, "label" | "asked">[]): void;
  cancel(): void;
}

/** The latest runs. A new start, or leaving the page, also cancels the running one on the server. */
export function useRuns(): Runs {
  const client = useTRPCClient();
  const [sides, setSides] = useState<readonly Side[]>([]);
  const [isRunning, setRunning] = useState(false);
  const underWay = useRef<AbortController | null>(null);

  const start: Runs["start"] = (wanted) => {
    underWay.current?.abort();
    const own = new AbortController();
    underWay.current = own;
    setRunning(true);
    const asked = wanted.map(async ({ label, asked }): Promise<Side> => {
      try {
        const report = await client.playground.run.mutate(asked, { signal: own.signal });
        return { label, asked, report, failure: null };
      } catch (error) {
        const failure = { sentence: failureSentence(error), problems: problemsOf(error) };
        return { label, asked, report: null, failure };
      }
    });
    void Promise.all(asked).then((ended) => {
      if (own.signal.aborted) return;
      setSides(ended);
      setRunning(false);
    });
  };
  const cancel = () => {
    underWay.current?.abort();
    underWay.current = null;
    setRunning(false);
  };
  return { sides, isRunning, start, cancel };
}
