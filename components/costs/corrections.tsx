"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { Form, FormField, useForm } from "@/components/ui/form";
import { needed, said } from "@/components/ui/form-texts";
import { dollarsOf, nanoOf } from "@/components/ui/format/dollars";
import { exactMoney } from "@/components/ui/format/nano";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import { type CorrectCall, correctCall, type EntryView, type HistoryView } from "@/server/costs/ledger/schema";
import type { CallDetailView } from "@/server/costs/schema";

/** The history of this call's cost since it was recorded, and the way to correct it. */
export function Corrections({ detail }: { detail: CallDetailView }) {
  const trpc = useTRPC();
  const { id, occurredAt } = detail;
  const history = useQuery(trpc.ledger.history.queryOptions({ id, occurredAt }));
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section
      title="Corrections"
      actions={
        isOpen ? null : (
          <PermittedButton to="ledger:write" size="sm" disabled={!history.data} onClick={() => setIsOpen(true)}>
            Correct the cost
          </PermittedButton>
        )
      }
    >
      {history.isError ? (
        <ErrorLine>Corrections could not be loaded: {failureSentence(history.error)}</ErrorLine>
      ) : null}
      {isOpen && history.data ? (
        <CorrectionForm key={id} detail={detail} history={history.data} onClose={() => setIsOpen(false)} />
      ) : null}
      {history.data?.entries.length === 0 && !isOpen ? (
        <p className="text-muted text-sm">This call has no corrections or estimates.</p>
      ) : null}
      <ol className="flex flex-col gap-2">
        {history.data?.entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      {history.data?.isCut ? (
        <p className="text-faint text-sm">Older corrections and estimates are not shown.</p>
      ) : null}
    </Section>
  );
}

function Entry({ entry: { kind, nano, priceVersion, author, reason, at, step } }: { entry: EntryView }) {
  const what =
    kind === "correction"
      ? `${step === 1 ? "corrected to" : "corrected again, to"} ${exactMoney(nano ?? 0n)}`
      : nano === null
        ? "the estimate was withdrawn"
        : `estimated at ${exactMoney(nano)}${priceVersion === null ? "" : ` with version ${priceVersion} of the price list`}`;
  return (
    <li className="border-line border-l-2 pl-3 text-sm">
      <span className="font-medium">{author}</span>: {what} <RelativeTime at={at} className="text-faint" />
      <p className="text-muted">{reason}</p>
    </li>
  );
}

const correction = correctCall.extend({
  usd: said((text) => {
    const nano = nanoOf(text);
    return nano === null ? undefined : dollarsOf(nano);
  }, "Enter an amount in dollars with at most nine decimals, such as 0.0042."),
  reason: needed("Enter a reason. The reason is stored with the call.").pipe(correctCall.shape.reason),
});

interface CorrectionFormProps {
  detail: CallDetailView;
  history: HistoryView;
  onClose: () => void;
}

function CorrectionForm({ detail, history, onClose }: CorrectionFormProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { id, occurredAt, nano, corrected } = detail;
  const stands = corrected ?? nano;
  const form = useForm(correction, {
    call: { id, occurredAt },
    usd: stands === null ? "" : dollarsOf(stands),
    reason: "",
    // The correction that was on screen when the form opened, so that a newer correction is not overwritten.
    corrects: history.entries.find(({ kind }) => kind === "correction")?.id ?? null,
  });
  const correct = useMutation(trpc.ledger.correct.mutationOptions());
  const submit = async (values: CorrectCall) => {
    await correct.mutateAsync(values);
    toast.success("Cost corrected");
    void queries.invalidateQueries({ queryKey: trpc.ledger.pathKey() });
    void queries.invalidateQueries({ queryKey: trpc.costs.pathKey() });
    onClose();
  };
  return (
    <Form
      form={form}
      className="gap-3 rounded-md border p-3"
      onSubmit={submit}
      action="Save correction"
      onCancel={onClose}
    >
      <FormField
        form={form}
        name="usd"
        label="Cost in dollars"
        help="Totals change by the difference between the old cost and this cost. The reported cost stays in the record."
      >
        {(field) => <Input {...field} inputMode="decimal" autoComplete="off" />}
      </FormField>
      <FormField form={form} name="reason" label="Why">
        {(field) => <Input {...field} maxLength={500} />}
      </FormField>
    </Form>
  );
}
