"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, FileCheck2 } from "lucide-react";
import { usePermission } from "@/components/access/permission";
import { PermittedButton } from "@/components/access/permitted-button";
import { isUnderWay } from "@/components/audit/use-verifications";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Form, FormField, useForm } from "@/components/ui/form";
import { formatCount, plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Input } from "@/components/ui/input";
import { Mark } from "@/components/ui/mark";
import { saveBase64File } from "@/components/ui/save-file";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import { type StatementView, startStatement } from "@/server/record/verification/verification-schema";

const VERDICTS = {
  complete: { tone: "allow", label: "complete" },
  incomplete: { tone: "deny", label: "does not hold" },
  unknown: { tone: "unknown", label: "complete as far as is known" },
} as const;
const RUNNING = { tone: "unknown", label: "verifying" } as const;
const FAILED = { tone: "error", label: "ended without a result" } as const;
const POLL_MS = 1_500;
/** The file has all of them. */
const SENTENCES_SHOWN = 6;

/** Statements about a period, such as a month: whether its record is complete, as a file to hand over. */
export function StatementsSection() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { isGranted } = usePermission("audit:read");
  const list = useQuery({
    ...trpc.audit.statements.queryOptions(),
    enabled: isGranted,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? POLL_MS : false),
  });
  const start = useMutation(
    trpc.audit.startStatement.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.audit.pathFilter()),
    }),
  );
  const rows = list.data ?? [];
  return (
    <Section title="Audit statement for a period" framed>
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          Verifies the record of a period and states whether every entry is still there. Erasures and removals that the
          record names are listed. Days are counted in the workspace's time zone.
        </p>
        <PeriodForm isBusy={start.isPending || rows.some(isUnderWay)} onStart={(period) => start.mutateAsync(period)} />
        {list.isError && isGranted ? <ErrorLine>{failureSentence(list.error)}</ErrorLine> : null}
        {rows.length === 0 ? null : (
          <ul
            aria-label="Statements"
            aria-live="polite"
            className="flex flex-col divide-y divide-line border-line border-t"
          >
            {rows.map((row) => (
              <StatementLine key={row.id} row={row} />
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}

interface Period {
  readonly first: string;
  readonly last: string;
}

/** The month before this one. */
function lastMonth(): Period {
  const now = new Date();
  const day = (month: number, date: number) =>
    new Date(Date.UTC(now.getFullYear(), month, date)).toISOString().slice(0, 10);
  return { first: day(now.getMonth() - 1, 1), last: day(now.getMonth(), 0) };
}

function PeriodForm({ isBusy, onStart }: { isBusy: boolean; onStart: (period: Period) => Promise<unknown> }) {
  const form = useForm(startStatement, lastMonth(), "onChange");
  return (
    <Form
      form={form}
      className="sm:flex-row sm:flex-wrap sm:items-end"
      onSubmit={onStart}
      foot={
        <PermittedButton to="audit:read" type="submit" className="w-fit" busy={isBusy}>
          <FileCheck2 aria-hidden />
          Make statement
        </PermittedButton>
      }
    >
      <FormField form={form} name="first" label="First day">
        {(field) => <Input {...field} type="date" className="w-40" />}
      </FormField>
      <FormField form={form} name="last" label="Last day">
        {(field) => <Input {...field} type="date" className="w-40" />}
      </FormField>
    </Form>
  );
}

const markOf = (row: StatementView) => (row.facts ? VERDICTS[row.facts.verdict] : isUnderWay(row) ? RUNNING : FAILED);

function StatementLine({ row }: { row: StatementView }) {
  const client = useTRPCClient();
  const save = useMutation({
    mutationFn: () => client.audit.statementFile.query({ id: row.id }),
    onSuccess: ({ name, archive }) => saveBase64File(name, archive, "application/zip"),
    onError: (error) => toast.error("Couldn't create the statement file", { description: failureSentence(error) }),
  });
  const { first, last } = row.period;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium tabular-nums">
            {first} to {last}
          </span>
          <Mark {...markOf(row)} />
        </span>
        <span className="text-muted text-sm">
          {rangeText(row)} · <RelativeTime at={row.finishedAt ?? row.startedAt} />, by {row.startedBy}
        </span>
        {row.facts && row.facts.verdict !== "complete" ? (
          <ul className={row.facts.verdict === "incomplete" ? "text-deny text-sm" : "text-muted text-sm"}>
            {[...row.facts.altered, ...row.facts.missing].slice(0, SENTENCES_SHOWN).map((text) => (
              <li key={text} className="break-words">
                {text}
              </li>
            ))}
          </ul>
        ) : null}
        {row.failure === null ? null : <ErrorLine>{row.failure}</ErrorLine>}
      </div>
      {row.facts ? (
        <Button
          size="sm"
          busy={save.isPending}
          aria-label={`Download the audit statement for ${first} to ${last}`}
          onClick={() => save.mutate()}
        >
          <Download aria-hidden />
          Download
        </Button>
      ) : null}
    </li>
  );
}

function rangeText({ facts, position, from, to }: StatementView): string {
  if (facts === null)
    return to === null ? "Waiting" : `Entry ${formatCount(Math.max(position, from ?? 0))} of ${formatCount(to)}`;
  const { first, last, count } = facts.entries;
  const removals = facts.removalCount > 0 ? `, ${plural(facts.removalCount, "removal")} named` : "";
  if (first === null || last === null) return `No entry${removals}`;
  return `Entries ${formatCount(first)} to ${formatCount(last)}, ${formatCount(count)} in all${removals}`;
}
