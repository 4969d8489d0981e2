"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { ListChecks, OctagonX, Play, Plus, Settings2 } from "lucide-react";
import { parseAsString } from "nuqs";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { AddCallsDialog } from "@/components/judges/known-calls/add-calls-dialog";
import { CallDetail, callColumns } from "@/components/judges/known-calls/call-columns";
import { limitsText, watchText } from "@/components/judges/known-calls/labels";
import { ResumeJudgeDialog } from "@/components/judges/known-calls/resume-judge-dialog";
import { RunsSection } from "@/components/judges/known-calls/runs-section";
import { WatchDialog } from "@/components/judges/known-calls/watch-dialog";
import { PageBody } from "@/components/layout/page-body";
import { useDrawerParam } from "@/components/layout/use-drawer-param";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Drawer } from "@/components/ui/drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorLine } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { DataTable } from "@/components/ui/table/data-table";
import { KNOWN_CALLS_MAX, type KnownCallsView as Known, type KnownCallView } from "@/server/prompts/known-calls/schema";
import type { PromptDetailView } from "@/server/prompts/schema";

const NONE: readonly KnownCallView[] = [];

/** The known calls of a judge, their runs, and the judge's halt. */
export function KnownCallsView({ prompt }: { prompt: PromptDetailView }) {
  const trpc = useTRPC();
  const promptId = prompt.id;
  const known = useQuery(trpc.knownCalls.get.queryOptions({ promptId }));
  const run = useMutation(trpc.knownCalls.run.mutationOptions());
  const [open, setOpen] = useDrawerParam("known", parseAsString);
  const [dialog, setDialog] = useState<"add" | "watch" | "resume" | null>(null);
  const close = () => setDialog(null);
  const rows = known.data?.calls ?? NONE;
  const shown = rows.find(({ id }) => id === open) ?? null;
  const isRunning = run.isPending || (known.data?.runs.some(({ state }) => state === "running") ?? false);
  const add = (
    <PermittedButton to="policy:write" onClick={() => setDialog("add")}>
      <Plus aria-hidden /> Add calls…
    </PermittedButton>
  );
  return (
    <PageBody width="fill">
      <div className="flex flex-col gap-4">
        {run.error ? <ErrorLine>{failureSentence(run.error)}</ErrorLine> : null}
        {known.data?.halt ? <HaltNotice halt={known.data.halt} onResume={() => setDialog("resume")} /> : null}
        <div className="flex flex-wrap items-center gap-2">
          <PermittedButton
            to="policy:write"
            disabled={isRunning || rows.length === 0 || known.data?.revision === null}
            onClick={() => run.mutate({ promptId })}
          >
            <Play aria-hidden /> Run now
          </PermittedButton>
          <PermittedButton to="policy:publish" variant="ghost" onClick={() => setDialog("watch")}>
            <Settings2 aria-hidden /> Schedule and limits…
          </PermittedButton>
          {known.data ? <span className="text-muted text-sm">{watchText(known.data)}</span> : null}
        </div>
        {known.data && known.data.runs.length > 0 ? <RunsSection runs={known.data.runs} /> : null}
        <Section title="Calls" aside={known.data ? `${rows.length} of ${KNOWN_CALLS_MAX}` : null} actions={add}>
          <DataTable
            id="known-calls"
            label="known calls"
            columns={callColumns}
            rows={rows}
            getRowId={(row) => row.id}
            status={known.status}
            error={known.error ? failureSentence(known.error) : null}
            onRetry={() => void known.refetch()}
            onOpen={(row) => void setOpen(row.id)}
            openId={open}
            rowHeight={40}
            empty={
              <EmptyState icon={ListChecks} title="No known calls yet" action={add}>
                Add calls that this judge must refuse or allow. Each run asks the judge about all known calls.
              </EmptyState>
            }
          />
        </Section>
      </div>
      <Drawer open={shown !== null} onClose={() => void setOpen(null)} title="Known call" subtitle={shown?.excerpt}>
        {shown ? <CallDetail promptId={promptId} call={shown} onRemoved={() => void setOpen(null)} /> : null}
      </Drawer>
      <AddCallsDialog open={dialog === "add"} onClose={close} prompt={prompt} labelled={known.data?.labelled ?? 0} />
      {known.data ? <WatchDialog open={dialog === "watch"} onClose={close} prompt={prompt} known={known.data} /> : null}
      <ResumeJudgeDialog prompt={dialog === "resume" ? prompt : null} onClose={close} />
    </PageBody>
  );
}

function HaltNotice({ halt, onResume }: { halt: NonNullable<Known["halt"]>; onResume: () => void }) {
  return (
    <Notice
      kind="danger"
      icon={OctagonX}
      action={
        <PermittedButton to="policy:publish" onClick={onResume}>
          Resume…
        </PermittedButton>
      }
    >
      Halted <RelativeTime at={halt.at} />
      {halt.beyond.length > 0 ? `: beyond the limit of ${limitsText(halt.beyond)}` : ""}. The judge's hooks fail without
      asking the model, so the tool calls that they check are denied.
    </Notice>
  );
}
