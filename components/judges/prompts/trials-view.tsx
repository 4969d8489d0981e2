"use client";

import { useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { LatencyFigure, ShareFigure, SpendFigure } from "@/components/judges/prompts/figure-cells";
import { stateLook, whatWas } from "@/components/judges/prompts/label-text";
import { NewTrialButton } from "@/components/judges/prompts/new-trial-button";
import { TrialDetail } from "@/components/judges/prompts/trial-detail";
import { PageBody } from "@/components/layout/page-body";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import { DataTable } from "@/components/ui/table/data-table";
import type { Column } from "@/components/ui/table/types";
import type { JudgedText, PromptDetailView, TrialView } from "@/server/prompts/schema";

const NONE: readonly TrialView[] = [];

/** Every trial of the prompt, and the selected one. */
export function TrialsView({ prompt, text }: { prompt: PromptDetailView; text: JudgedText }) {
  const trpc = useTRPC();
  const trials = useQuery(trpc.prompts.trials.queryOptions({ promptId: prompt.id }));
  const [open, setOpen] = useQueryState("trial", parseAsString.withOptions({ history: "push" }));
  const start = <NewTrialButton prompt={prompt} text={text} />;
  return (
    <>
      {open ? (
        <TrialDetail trialId={open} onBack={() => void setOpen(null)} start={start} />
      ) : (
        <PageBody width="fill">
          <DataTable
            id="judge-trials"
            label="trials"
            columns={columns}
            rows={trials.data ?? NONE}
            getRowId={(row) => row.id}
            status={trials.status}
            error={trials.error ? failureSentence(trials.error) : null}
            stillWorks="Stored trials and their answers are not affected."
            onRetry={() => void trials.refetch()}
            onOpen={(row) => void setOpen(row.id)}
            rowHeight={40}
            toolbar={start}
            empty={
              <EmptyState icon={FlaskConical} title="No trials yet" action={start}>
                A trial runs the prompt on recorded calls, within a budget. Label the answers to see how often each
                revision is right.
              </EmptyState>
            }
          />
        </PageBody>
      )}
    </>
  );
}

const columns: readonly Column<TrialView>[] = [
  {
    id: "what",
    header: "Tried",
    width: 140,
    priority: 1,
    fixed: true,
    value: whatWas,
    cell: (row) => <span className="font-medium">{whatWas(row)}</span>,
  },
  {
    id: "state",
    header: "State",
    width: 140,
    priority: 1,
    value: (row) => row.state,
    cell: (row) => <Mark {...stateLook(row.state)} />,
  },
  {
    id: "asked",
    header: "Calls asked",
    width: 110,
    value: (row) => row.asked,
    cell: (row) => `${row.asked} of ${row.planned}`,
  },
  {
    id: "verdicts",
    header: "Verdicts",
    width: 220,
    grow: true,
    value: (row) => row.verdicts.map(({ verdict, answers }) => `${verdict} ${answers}`).join(", "),
    cell: (row) => (
      <span className="truncate">{row.verdicts.map(({ verdict, answers }) => `${answers} ${verdict}`).join(", ")}</span>
    ),
  },
  {
    id: "flips",
    header: "Flip rate",
    width: 130,
    hint: "Share of the calls judged more than once whose answers differ",
    value: (row) => row.flips && `${row.flips.hits}/${row.flips.of}`,
    cell: (row) => (
      <ShareFigure share={row.flips} missing="No call was judged more than once, so there is no flip rate." />
    ),
  },
  {
    id: "latency",
    header: "p50 · p95",
    width: 130,
    value: (row) => row.latency?.p50,
    cell: (row) => <LatencyFigure latency={row.latency} />,
  },
  {
    id: "cost",
    header: "Cost",
    width: 90,
    align: "right",
    value: (row) => row.spend.nano,
    cell: (row) => <SpendFigure spend={row.spend} />,
  },
  {
    id: "started",
    header: "Started",
    width: 150,
    value: (row) => row.startedAt,
    cell: (row) => (
      <span className="truncate">
        <RelativeTime at={row.startedAt} /> by {row.startedBy}
      </span>
    ),
  },
];
