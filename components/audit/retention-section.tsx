"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { PermittedButton } from "@/components/access/permitted-button";
import { RetentionFaults } from "@/components/audit/retention-faults";
import { ActDialog } from "@/components/layout/act-dialog";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Form, FormField, useForm } from "@/components/ui/form";
import { emptyOr, said, wholeFrom } from "@/components/ui/form-texts";
import { formatCount, plural } from "@/components/ui/format/count";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import { RETENTION_KINDS, type RetentionDays, type RetentionFault, type RetentionKind } from "@/server/record/schema";

const WORDS: Readonly<Record<RetentionKind, { label: string; help: string }>> = {
  dispatches: { label: "Dispatches", help: "The inputs of calls, the answers to agents, and the result of each hook." },
  activity: { label: "Activity", help: "Decisions, model calls, compactions, sessions and results of monitor mode." },
  judge_calls: { label: "Judges' calls", help: "Each question to a judge, with the cost of the answer." },
  figures: {
    label: "Figures",
    help: "Totals that the charts show. Charts are empty for dates whose totals were deleted.",
  },
};

const days = said(emptyOr(wholeFrom(1, 36_500)), "Enter a whole number of days.");
const retentionForm = z.object({ dispatches: days, activity: days, judge_calls: days, figures: days });

/** The retention of each kind of data, in days. The form counts what a change would delete before it is saved. */
export function RetentionSection({
  retention,
  faults,
}: {
  retention: RetentionDays;
  faults: readonly RetentionFault[];
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm(retentionForm, textsOf(retention), "onChange");
  const [asked, setAsked] = useState<RetentionDays | null>(null);
  const counts = useQuery({
    ...trpc.audit.countRetention.queryOptions(asked ?? retention),
    enabled: asked !== null,
    staleTime: 0,
  });
  return (
    <Section title="Retention" framed>
      <Form
        form={form}
        onSubmit={setAsked}
        foot={
          <PermittedButton to="record:manage" type="submit" className="w-fit" disabled={!form.formState.isDirty}>
            Count and save
          </PermittedButton>
        }
      >
        <p className="text-muted">
          Data is deleted after this many days. Leave a field empty to keep its data for ever. The audit log is always
          kept, and lists each deletion.
        </p>
        <RetentionFaults faults={faults} />
        <div className="grid gap-4 sm:grid-cols-2">
          {RETENTION_KINDS.map((kind) => (
            <FormField key={kind} form={form} name={kind} label={`${WORDS[kind].label}, days`} help={WORDS[kind].help}>
              {(field) => <Input {...field} inputMode="numeric" placeholder="for ever" />}
            </FormField>
          ))}
        </div>
      </Form>
      <ActDialog
        mutation={trpc.audit.setRetention.mutationOptions()}
        input={asked}
        onClose={() => setAsked(null)}
        title="Save this retention?"
        confirm="Save retention"
        typed="drop"
        isPreparing={counts.isPending}
        onDone={() => {
          form.reset(form.getValues());
          toast.success("Retention is set", { description: "Older data is deleted within an hour." });
          void queries.invalidateQueries(trpc.audit.pathFilter());
        }}
      >
        {counts.isError ? (
          <p>The affected data could not be counted: {failureSentence(counts.error)}</p>
        ) : counts.data ? (
          <ul className="list-disc pl-5">
            {counts.data.map(({ kind, drop, held, isMore }) => (
              <li key={kind}>
                {WORDS[kind].label}: {dropSentence(drop, isMore)}
                {held > 0 ? `, ${formatCount(held)} more stay under legal hold` : ""}
              </li>
            ))}
          </ul>
        ) : (
          <p>Counting the data to delete…</p>
        )}
        <p>Only a backup can restore deleted data.</p>
      </ActDialog>
    </Section>
  );
}

function dropSentence(drop: number, isMore: boolean): string {
  if (isMore) return `more than ${plural(drop, "row")} would go now`;
  return drop === 0 ? "nothing goes now" : `${plural(drop, "row")} would go now`;
}

const textsOf = (retention: RetentionDays): Record<RetentionKind, string> => ({
  dispatches: retention.dispatches?.toString() ?? "",
  activity: retention.activity?.toString() ?? "",
  judge_calls: retention.judge_calls?.toString() ?? "",
  figures: retention.figures?.toString() ?? "",
});
