"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { expectedWords, LABELS } from "@/components/judge-label/label-words";
import { CallCost } from "@/components/judges/cost";
import { causeLabel, verdictLook } from "@/components/judges/labels";
import { CallWords } from "@/components/judges/prompts/call-words";
import { LatencyFigure, ShareFigure, SpendFigure } from "@/components/judges/prompts/figure-cells";
import { stateLook, whatWas } from "@/components/judges/prompts/label-text";
import { TrialAnswer } from "@/components/judges/prompts/trial-answer";
import { useRowLabels } from "@/components/judges/prompts/use-row-labels";
import { PageBody } from "@/components/layout/page-body";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorLine, ErrorState } from "@/components/ui/error-state";
import { formatDuration } from "@/components/ui/format/duration";
import { Missing } from "@/components/ui/format/missing";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { DataTable } from "@/components/ui/table/data-table";
import { neighbours } from "@/components/ui/table/hold-rows";
import type { Column } from "@/components/ui/table/types";
import { decisionOf, type TrialCallView, type TrialDetailView, type TrialView } from "@/server/prompts/schema";

const keyOf = ({ place, repeat }: TrialCallView) => `${place}.${repeat}`;

interface TrialPlace {
  onBack: () => void;
  /** The button that starts another trial. */
  start: ReactNode;
}

/** One trial while it runs: its current figures, and every answer to label. */
export function TrialDetail({ trialId, ...place }: TrialPlace & { trialId: string }) {
  const trpc = useTRPC();
  const found = useQuery(trpc.prompts.trial.queryOptions({ trialId }));
  if (!found.data)
    return (
      <PageBody>
        {found.error ? (
          <ErrorState
            title="The trial could not be loaded"
            reason={failureSentence(found.error)}
            stillWorks="The trial's completed answers are kept."
            onRetry={() => void found.refetch()}
          />
        ) : (
          <Loading label="the trial">
            <SkeletonText lines={8} />
          </Loading>
        )}
      </PageBody>
    );
  return <Detail detail={found.data} {...place} />;
}

function Detail({ detail, ...place }: TrialPlace & { detail: TrialDetailView }) {
  const { trial, calls } = detail;
  const [open, setOpen] = useQueryState("answer", parseAsString);
  const near = neighbours(calls, keyOf, open);
  const shown = calls.find((call) => keyOf(call) === open) ?? null;
  const at = shown ? calls.indexOf(shown) : -1;
  const next = calls.slice(at + 1).find((call) => decisionOf(call.verdict) !== null && call.mine === null);
  const show = (key: string | null) => void setOpen(key);
  useRowLabels((id) => {
    const call = calls.find((one) => keyOf(one) === id);
    if (!call) return null;
    const { place, repeat, verdict } = call;
    return { subject: { kind: "trial", trialId: trial.id, place, repeat }, verdict };
  });
  return (
    <PageBody width="fill">
      <TrialHead trial={trial} {...place} />
      <DataTable
        id="trial-answers"
        label="answers"
        columns={columns}
        rows={calls}
        getRowId={keyOf}
        onOpen={(row) => show(keyOf(row))}
        openId={open}
        rowHeight={40}
        empty={<EmptyState icon={ArrowLeft} title="No calls in this trial" />}
      />
      <Drawer
        open={shown !== null}
        onClose={() => show(null)}
        title={shown ? (shown.excerpt ?? shown.tool ?? shown.event) : "Answer"}
        subtitle={shown ? `${shown.tool ?? shown.event}, ${shown.agentName}` : undefined}
        onPrevious={near.previous === null ? undefined : () => show(near.previous)}
        onNext={near.next === null ? undefined : () => show(near.next)}
        width="lg"
      >
        {shown ? (
          <TrialAnswer
            key={keyOf(shown)}
            detail={detail}
            call={shown}
            onNext={next ? () => show(keyOf(next)) : undefined}
          />
        ) : null}
      </Drawer>
    </PageBody>
  );
}

/** The state and current figures of the trial, with the actions to leave it, to cancel it and to start another. */
function TrialHead({ trial, onBack, start }: TrialPlace & { trial: TrialView }) {
  const trpc = useTRPC();
  const cancel = useMutation(trpc.prompts.cancelTrial.mutationOptions());
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-x-5 gap-y-2 pb-3">
        <Button variant="ghost" onClick={onBack}>
          <ArrowLeft aria-hidden /> All trials
        </Button>
        <h2 className="text-md">Trial of {whatWas(trial)}</h2>
        <Mark {...stateLook(trial.state)} />
        <p role="status" aria-label="Progress" className="text-sm">
          {trial.asked} of {trial.planned} asked, {trial.failed} failed
        </p>
        <span className="text-sm">
          <SpendFigure spend={trial.spend} />
          {trial.budget.nano === null ? null : (
            <span className="text-muted">
              {" "}
              of <SpendFigure spend={{ priced: 1, free: 0, unpriced: 0, unanswered: 0, nano: trial.budget.nano }} />
            </span>
          )}
        </span>
        <span className="text-sm">
          <LatencyFigure latency={trial.latency} />
        </span>
        {trial.repeats > 1 ? (
          <span className="text-sm">
            flips <ShareFigure share={trial.flips} missing="No call has a second answer yet." />
          </span>
        ) : null}
        <span className="ml-auto flex items-center gap-2">
          {trial.state === "running" ? (
            <Button busy={cancel.isPending} onClick={() => cancel.mutate({ trialId: trial.id })}>
              Cancel the trial
            </Button>
          ) : null}
          {start}
        </span>
      </div>
      {cancel.error ? <ErrorLine>{failureSentence(cancel.error)}</ErrorLine> : null}
      {trial.says === "" ? null : (
        <Notice kind="warning" className="mb-3">
          {trial.says}
        </Notice>
      )}
      {trial.state === "interrupted" ? (
        <Notice kind="warning" className="mb-3">
          The server stopped during the trial. The trial's completed answers are kept. Start another trial on the same
          calls.
        </Notice>
      ) : null}
    </>
  );
}

const columns: readonly Column<TrialCallView>[] = [
  {
    id: "about",
    header: "Call",
    width: 300,
    priority: 1,
    fixed: true,
    value: (row) => `${row.tool ?? row.event} ${row.excerpt ?? ""}`,
    cell: (row) => <CallWords call={row} times={row.repeat} />,
  },
  {
    id: "agent",
    header: "Agent",
    width: 120,
    priority: 3,
    value: (row) => row.agentName,
    cell: (row) => row.agentName,
  },
  {
    id: "verdict",
    header: "Verdict",
    width: 140,
    priority: 1,
    value: (row) => row.verdict,
    cell: (row) => (row.verdict === null ? <Missing reason="Not asked." /> : <Mark {...verdictLook(row.verdict)} />),
  },
  {
    id: "reason",
    header: "Reason",
    width: 260,
    grow: true,
    value: (row) => row.reason,
    cell: (row) => (
      <span className="truncate">{row.cause === null ? row.reason : `${causeLabel(row.cause)}: ${row.reason}`}</span>
    ),
  },
  {
    id: "label",
    header: "Your label",
    width: 168,
    value: (row) => row.mine?.word,
    cell: (row) =>
      row.mine ? (
        <Mark tone={LABELS[row.mine.word].tone} label={LABELS[row.mine.word].label} />
      ) : (
        <Missing reason="Not labelled." />
      ),
  },
  {
    id: "expected",
    header: "Expected",
    width: 100,
    value: (row) => row.expected,
    cell: (row) => (row.expected === null ? <Missing reason="No label." /> : expectedWords(row.expected)),
  },
  {
    id: "latency",
    header: "Took",
    width: 80,
    align: "right",
    value: (row) => row.latencyMs,
    cell: (row) => (row.latencyMs === null ? <Missing reason="Not asked." /> : formatDuration(row.latencyMs)),
  },
  {
    id: "cost",
    header: "Cost",
    width: 90,
    align: "right",
    value: (row) => row.nano,
    cell: (row) => <CallCost call={{ pricing: row.pricing ?? "unanswered", nano: row.nano }} />,
  },
];
