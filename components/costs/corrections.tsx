"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { dollarsOf, nanoOf } from "@/components/ui/format/dollars";
import { exactMoney } from "@/components/ui/format/nano";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import type { EntryView, HistoryView } from "@/server/costs/ledger/schema";
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
        <ErrorLine>What was corrected could not be loaded: {failureSentence(history.error)}</ErrorLine>
      ) : null}
      {isOpen && history.data ? (
        <Form key={id} detail={detail} history={history.data} onClose={() => setIsOpen(false)} />
      ) : null}
      {history.data?.entries.length === 0 && !isOpen ? (
        <p className="text-muted text-sm">Nobody corrected it, and no price list estimated it.</p>
      ) : null}
      <ol className="flex flex-col gap-2">
        {history.data?.entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      {history.data?.isCut ? <p className="text-faint text-sm">Older entries are not shown.</p> : null}
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

function Form({ detail, history, onClose }: { detail: CallDetailView; history: HistoryView; onClose: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { id, occurredAt, nano, corrected } = detail;
  const stands = corrected ?? nano;
  const [usd, setUsd] = useState(stands === null ? "" : dollarsOf(stands));
  const [reason, setReason] = useState("");
  const [isTried, setIsTried] = useState(false);
  // Of what was on the screen when it was opened: what was corrected meanwhile is not overwritten.
  const [corrects] = useState(history.entries.find(({ kind }) => kind === "correction")?.id ?? null);
  const correct = useMutation(trpc.ledger.correct.mutationOptions());
  const next = nanoOf(usd);
  const wrongs = {
    usd: next === null ? "Write dollars to the ninth decimal at most, such as 0.0042." : undefined,
    reason: reason.trim() === "" ? "Say why; it stays beside the call." : undefined,
  };
  const submit = () => {
    setIsTried(true);
    if (next === null || wrongs.reason) return;
    correct.mutate(
      { call: { id, occurredAt }, usd: dollarsOf(next), reason: reason.trim(), corrects },
      {
        onSuccess: () => {
          toast.success("The cost is corrected");
          void queries.invalidateQueries({ queryKey: trpc.ledger.pathKey() });
          void queries.invalidateQueries({ queryKey: trpc.costs.pathKey() });
          onClose();
        },
      },
    );
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-3 rounded-md border p-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field
        label="It cost, in dollars"
        error={isTried ? wrongs.usd : undefined}
        help="Every total moves by the difference. What the agent reported stays as it is."
      >
        <Input inputMode="decimal" autoComplete="off" value={usd} onChange={(event) => setUsd(event.target.value)} />
      </Field>
      <Field label="Why" error={isTried ? wrongs.reason : undefined}>
        <Input maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
      {correct.error ? <ErrorLine>{failureSentence(correct.error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={correct.isPending}>
          Correct it
        </Button>
      </div>
    </form>
  );
}
