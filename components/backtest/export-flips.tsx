"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { saveFile } from "@/components/ui/save-file";
import { type BacktestRunView, type FlipView, RUN_LIMITS } from "@/server/backtest/run-schema";

const HEAD = [
  "time",
  "dispatch",
  "agent",
  "session",
  "event",
  "tool",
  "command",
  "rule",
  "from",
  "to",
  "looser",
  "input",
];
const lineOf = (flip: FlipView) => [
  ...[flip.occurredAt, flip.id, flip.agentName, flip.sessionId, flip.event, flip.tool, flip.family, flip.rule],
  ...[flip.from, flip.to, flip.isLooser, flip.excerpt],
];

/** Saves the changed calls as a CSV file. */
export function ExportFlips({ run }: { run: BacktestRunView }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      const flips: FlipView[] = [];
      for (let offset = 0; offset < RUN_LIMITS.flipsKept; offset += RUN_LIMITS.page) {
        const asked = { policyId: run.policyId, runId: run.id, offset, limit: RUN_LIMITS.page };
        const page = await queries.fetchQuery(trpc.backtest.flips.queryOptions(asked));
        flips.push(...page);
        if (page.length < RUN_LIMITS.page) break;
      }
      const { csvText } = await import("@/components/ui/csv");
      const text = csvText([HEAD, ...flips.map(lineOf)]);
      saveFile(`${run.policyName} backtest ${run.id}.csv`, new Blob([text], { type: "text/csv" }));
    },
  });
  return (
    <Button busy={save.isPending} onClick={() => save.mutate()}>
      Export CSV
    </Button>
  );
}
