"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { ShieldAlert } from "lucide-react";
import { parseAsString } from "nuqs";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { CheckState, InjectionFigure } from "@/components/judges/prompts/check-figures";
import { RequirementDialog } from "@/components/judges/prompts/requirement-dialog";
import { PageBody } from "@/components/layout/page-body";
import { useDrawerParam } from "@/components/layout/use-drawer-param";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { cn } from "@/components/ui/cn";
import { Drawer } from "@/components/ui/drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorLine } from "@/components/ui/error-state";
import { Missing } from "@/components/ui/format/missing";
import { Money } from "@/components/ui/format/money";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import { DataTable } from "@/components/ui/table/data-table";
import type { Column } from "@/components/ui/table/types";
import type { CheckView } from "@/server/prompts/check-schema";
import type { JudgedText, PromptDetailView } from "@/server/prompts/schema";

const NONE: readonly CheckView[] = [];

/** The injection tests of a prompt, with the score that a publication requires. */
export function ChecksView({ prompt, text }: { prompt: PromptDetailView; text: JudgedText }) {
  const trpc = useTRPC();
  const promptId = prompt.id;
  const checks = useQuery(trpc.prompts.checks.queryOptions({ promptId }));
  const start = useMutation(trpc.prompts.startCheck.mutationOptions());
  const [open, setOpen] = useDrawerParam("check", parseAsString);
  const [isRequiring, setRequiring] = useState(false);
  const rows = checks.data?.checks ?? NONE;
  const min = checks.data?.injectionMin ?? null;
  const shown = rows.find(({ id }) => id === open) ?? null;
  const isRunning = start.isPending || rows.some(({ state }) => state === "running");
  const { template, model, schema } = text;
  const acts = (place?: string) => (
    <div className={cn("flex flex-wrap items-center gap-2", place)}>
      <PermittedButton
        to="policy:write"
        disabled={isRunning}
        onClick={() => start.mutate({ promptId, template, model, schema })}
      >
        <ShieldAlert aria-hidden /> Test with 60 harmful calls
      </PermittedButton>
      <PermittedButton to="policy:publish" variant="ghost" onClick={() => setRequiring(true)}>
        {min === null ? "Require a score…" : `Change required score: ${min} %…`}
      </PermittedButton>
    </div>
  );
  return (
    <PageBody width="fill">
      {start.error ? <ErrorLine>{failureSentence(start.error)}</ErrorLine> : null}
      <DataTable
        id="judge-checks"
        label="checks"
        columns={columns}
        rows={rows}
        getRowId={(row) => row.id}
        status={checks.status}
        error={checks.error ? failureSentence(checks.error) : null}
        onRetry={() => void checks.refetch()}
        onOpen={(row) => void setOpen(row.id)}
        openId={open}
        rowHeight={40}
        toolbar={acts()}
        empty={
          <EmptyState icon={ShieldAlert} title="No injection tests yet" action={acts("justify-center")}>
            The test sends the judge 60 harmful calls. Their arguments try to talk the judge into allowing them.
          </EmptyState>
        }
      />
      <Drawer
        open={shown !== null}
        onClose={() => void setOpen(null)}
        title="Injection test"
        subtitle={shown ? textOf(shown) : null}
      >
        {shown ? <Detail check={shown} /> : null}
      </Drawer>
      <RequirementDialog open={isRequiring} onOpenChange={setRequiring} promptId={promptId} min={min} />
    </PageBody>
  );
}

const textOf = ({ revision }: CheckView): string => (revision === 0 ? "Draft" : `Revision ${revision}`);

function Detail({ check }: { check: CheckView }) {
  return (
    <KeyValue
      items={[
        { label: "State", value: <CheckState check={check} /> },
        { label: "Refused", value: <InjectionFigure check={check} /> },
        { label: "Without a decision", value: String(check.failed) },
        { label: "Allowed calls", value: check.allowed.length === 0 ? "none" : check.allowed.join(", ") },
        { label: "Model", value: check.model },
        { label: "Answered by", value: check.answeredBy ?? <Missing reason="No answer." /> },
        { label: "Cost", value: <CheckCost check={check} /> },
        ...(check.says === "" ? [] : [{ label: "Reason", value: check.says }]),
      ]}
    />
  );
}

function CheckCost({ check: { asked, spend } }: { check: CheckView }) {
  if (asked === 0) return <Missing reason="No answers." />;
  if (spend.unpriced === asked) return <Money nano={null} reason="The price of the judge's answers is not known." />;
  return <Money nano={spend.nano} isLeast={spend.unpriced > 0} />;
}

const columns: readonly Column<CheckView>[] = [
  {
    id: "text",
    header: "Prompt version",
    width: 130,
    priority: 1,
    fixed: true,
    value: textOf,
    cell: (row) => <span className="font-medium">{textOf(row)}</span>,
  },
  {
    id: "state",
    header: "State",
    width: 120,
    priority: 1,
    value: (row) => row.state,
    cell: (row) => <CheckState check={row} />,
  },
  {
    id: "refused",
    header: "Refused",
    width: 150,
    hint: "Share of the harmful test calls that the judge denied or sent to a person",
    value: (row) => row.refused && `${row.refused.hits}/${row.refused.of}`,
    cell: (row) => <InjectionFigure check={row} />,
  },
  {
    id: "failed",
    header: "Without a decision",
    width: 140,
    align: "right",
    hint: "Answers of the judge without a decision. These calls count as not refused.",
    value: (row) => row.failed,
    cell: (row) => String(row.failed),
  },
  {
    id: "model",
    header: "Model",
    width: 180,
    grow: true,
    value: (row) => row.model,
    cell: (row) => <span className="truncate">{row.model}</span>,
  },
  {
    id: "cost",
    header: "Cost",
    width: 90,
    align: "right",
    value: (row) => row.spend.nano,
    cell: (row) => <CheckCost check={row} />,
  },
  {
    id: "started",
    header: "Started",
    width: 160,
    value: (row) => row.startedAt,
    cell: (row) => (
      <span className="truncate">
        <RelativeTime at={row.startedAt} /> by {row.startedBy}
      </span>
    ),
  },
];
