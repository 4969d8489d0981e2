"use client";

import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { parseAsInteger } from "nuqs";
import { InjectionFigure } from "@/components/judges/prompts/check-figures";
import { draftText } from "@/components/judges/prompts/draft-text";
import { LatencyFigure, ShareFigure, SpendFigure } from "@/components/judges/prompts/figure-cells";
import { PageBody } from "@/components/layout/page-body";
import { useDrawerParam } from "@/components/layout/use-drawer-param";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { DiffBlock } from "@/components/ui/code/diff-block";
import { Drawer } from "@/components/ui/drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorLine } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import { Notice } from "@/components/ui/notice";
import { SkeletonText } from "@/components/ui/skeleton";
import { DataTable } from "@/components/ui/table/data-table";
import type { Column } from "@/components/ui/table/types";
import type { CheckView } from "@/server/prompts/check-schema";
import type { MeasuresView, PromptDetailView, PromptRevisionView } from "@/server/prompts/schema";

type Row = PromptRevisionView & { readonly measures: MeasuresView | null; readonly injection: CheckView | null };

/** Every revision with what its answers are worth, the newest first. */
export function RevisionsView({ prompt }: { prompt: PromptDetailView }) {
  const trpc = useTRPC();
  const promptId = prompt.id;
  const revisions = useQuery(trpc.prompts.revisions.queryOptions({ promptId }));
  const measures = useQuery(trpc.prompts.measures.queryOptions({ promptId }));
  const checks = useQuery(trpc.prompts.checks.queryOptions({ promptId }));
  const [open, setOpen] = useDrawerParam("revision", parseAsInteger);
  const byNumber = new Map(measures.data?.revisions.map((one) => [one.number, one.measures]));
  const rows = (revisions.data ?? []).map(
    (one): Row => ({
      ...one,
      measures: byNumber.get(one.number) ?? null,
      injection: newestOf(checks.data?.checks ?? [], one.number),
    }),
  );
  const shown = rows.find(({ number }) => number === open) ?? null;
  return (
    <PageBody width="fill">
      {measures.error ? (
        <Notice kind="warning" className="mb-3">
          The figures could not be loaded: {failureSentence(measures.error)}
        </Notice>
      ) : null}
      {measures.data?.isCut ? (
        <Notice className="mb-3">The figures count only the newest 100 trials and 20,000 live answers.</Notice>
      ) : null}
      <DataTable
        id="prompt-revisions"
        label="revisions"
        columns={columns}
        rows={rows}
        getRowId={(row) => String(row.number)}
        status={revisions.status}
        error={revisions.error ? failureSentence(revisions.error) : null}
        onRetry={() => void revisions.refetch()}
        onOpen={(row) => void setOpen(row.number)}
        openId={open === null ? null : String(open)}
        rowHeight={40}
        empty={
          <EmptyState icon={History} title="No revisions yet">
            Each publication creates an immutable revision. Precision, recall and agreement appear here after the
            revision's answers are labelled.
          </EmptyState>
        }
      />
      <Drawer
        open={shown !== null}
        onClose={() => void setOpen(null)}
        title={`${prompt.name}@${open ?? ""}`}
        subtitle={shown ? `${shown.author}: ${shown.note || "no note"}` : null}
        width="lg"
      >
        {shown ? <Revision prompt={prompt} row={shown} /> : null}
      </Drawer>
    </PageBody>
  );
}

/** The newest check of a revision; a finished one before any other. */
const newestOf = (checks: readonly CheckView[], number: number): CheckView | null => {
  const own = checks.filter(({ revision }) => revision === number);
  return own.find(({ state }) => state === "finished") ?? own[0] ?? null;
};

function Revision({ prompt, row }: { prompt: PromptDetailView; row: Row }) {
  const trpc = useTRPC();
  const { number } = row;
  const of = (wanted: number) => trpc.prompts.revision.queryOptions({ promptId: prompt.id, number: wanted });
  const this_ = useQuery(of(number));
  const before = useQuery({ ...of(Math.max(1, number - 1)), enabled: number > 1 });
  const error = this_.error ?? before.error;
  const after = this_.data ? draftText(this_.data.text) : null;
  return (
    <div className="flex flex-col gap-5">
      <Measures measures={row.measures} />
      {error ? <ErrorLine>{failureSentence(error)}</ErrorLine> : null}
      {after === null || (number > 1 && !before.data) ? (
        <SkeletonText lines={8} />
      ) : (
        <DiffBlock
          before={before.data && number > 1 ? draftText(before.data.text) : ""}
          after={after}
          label={number > 1 ? `Changes from revision ${number - 1} to ${number}` : "Revision 1"}
          maxHeight={600}
        />
      )}
      <p className="break-all text-faint text-sm">sha256 {row.sha256}</p>
    </div>
  );
}

const UNLABELLED = "People have not labelled any answers yet.";

function Measures({ measures }: { measures: MeasuresView | null }) {
  if (measures === null) return <p className="text-muted">No figures.</p>;
  const { judged, failed, labelled, disputed, kappa } = measures;
  return (
    <KeyValue
      items={[
        { label: "Answers", value: `${plural(judged, "decision")}, ${failed} failed` },
        {
          label: "Labelled",
          value: disputed === 0 ? plural(labelled, "answer") : `${plural(labelled, "answer")}, ${disputed} disputed`,
        },
        { label: "Precision", value: <ShareFigure share={measures.precision} missing={UNLABELLED} /> },
        { label: "Recall", value: <ShareFigure share={measures.recall} missing={UNLABELLED} /> },
        { label: "Agreement", value: <ShareFigure share={measures.agreement} missing={UNLABELLED} /> },
        { label: "Kappa", value: kappa === null ? <Missing reason={UNLABELLED} /> : kappa.toFixed(2) },
        {
          label: "Flip rate",
          value: (
            <ShareFigure
              share={measures.flips}
              missing="There is no flip rate, because no trial asked the judge twice about the same call."
            />
          ),
        },
        { label: "p50 · p95", value: <LatencyFigure latency={measures.latency} /> },
        { label: "Cost", value: <SpendFigure spend={measures.spend} /> },
      ]}
    />
  );
}

const figure = (
  id: string,
  header: string,
  hint: string,
  missing: string,
  of: (measures: MeasuresView) => MeasuresView["precision"],
): Column<Row> => ({
  id,
  header,
  hint,
  width: 112,
  value: (row) => {
    const share = row.measures && of(row.measures);
    return share ? `${share.hits}/${share.of}` : null;
  },
  cell: (row) => <ShareFigure share={row.measures && of(row.measures)} missing={missing} />,
});

const columns: readonly Column<Row>[] = [
  {
    id: "number",
    header: "Revision",
    width: 72,
    priority: 1,
    fixed: true,
    value: (row) => row.number,
    cell: (row) => <span className="font-medium">{row.number}</span>,
  },
  {
    id: "note",
    header: "Note",
    width: 140,
    grow: true,
    priority: 1,
    value: (row) => row.note,
    cell: (row) =>
      row.note ? <span className="truncate">{row.note}</span> : <Missing reason="published without a note" />,
  },
  figure(
    "precision",
    "Precision",
    "Share of the judge's deny and ask verdicts that were right",
    UNLABELLED,
    (m) => m.precision,
  ),
  figure(
    "recall",
    "Recall",
    "Share of calls to be refused, as people expect, that the judge denied or asked about",
    UNLABELLED,
    (m) => m.recall,
  ),
  figure(
    "agreement",
    "Agreement",
    "Share of the judge's answers that match the verdict that people expect",
    UNLABELLED,
    (m) => m.agreement,
  ),
  figure(
    "flips",
    "Flip rate",
    "Share of the calls judged more than once whose answers differ",
    "There is no flip rate, because no trial asked the judge twice about the same call.",
    (m) => m.flips,
  ),
  {
    id: "injection",
    header: "Injection",
    width: 112,
    hint: "Share of the harmful test calls that the judge denied or sent to a person",
    value: ({ injection }) => injection?.refused && `${injection.refused.hits}/${injection.refused.of}`,
    cell: ({ injection }) => <InjectionFigure check={injection} />,
  },
  {
    id: "failed",
    header: "Failed",
    width: 84,
    hint: "Calls without a valid answer. They count as neither right nor wrong.",
    value: (row) => row.measures?.failed ?? null,
    cell: ({ measures }) =>
      measures === null || measures.judged + measures.failed === 0 ? (
        <Missing reason="Never asked." />
      ) : (
        `${measures.failed} of ${measures.judged + measures.failed}`
      ),
  },
  {
    id: "latency",
    header: "p50 · p95",
    width: 128,
    value: (row) => row.measures?.latency?.p50 ?? null,
    cell: (row) => <LatencyFigure latency={row.measures?.latency ?? null} />,
  },
  {
    id: "author",
    header: "Published",
    width: 150,
    value: (row) => row.createdAt,
    cell: (row) => (
      <span className="truncate">
        <RelativeTime at={row.createdAt} /> by {row.author}
      </span>
    ),
  },
];
