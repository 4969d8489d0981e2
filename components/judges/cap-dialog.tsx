"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { dollarsOf, nanoOf } from "@/components/ui/format/dollars";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import type { JudgeView } from "@/server/judges/schema";

interface CapDialogProps {
  judge: JudgeView | null;
  onClose: () => void;
  onSaved: () => void;
}

/** The dialog for the daily limit of one judge. */
export function CapDialog({ judge, onClose, onSaved }: CapDialogProps) {
  return (
    <Dialog
      open={judge !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      size="sm"
      title={`Daily cap of ${judge?.hook ?? ""}`}
      description="Beside what its connection may use. Beyond it this judge fails, and what it gates is denied until midnight UTC."
    >
      {judge ? <Form judge={judge} onClose={onClose} onSaved={onSaved} /> : null}
    </Dialog>
  );
}

function Form({ judge, onClose, onSaved }: CapDialogProps & { judge: JudgeView }) {
  const trpc = useTRPC();
  const { cap } = judge;
  const [calls, setCalls] = useState(cap?.callsPerDay == null ? "" : String(cap.callsPerDay));
  const [dollars, setDollars] = useState(cap?.nanoPerDay == null ? "" : dollarsOf(cap.nanoPerDay));
  const set = useMutation(trpc.judges.setCap.mutationOptions());
  const callsPerDay = calls.trim() === "" ? null : /^\d{1,9}$/.test(calls.trim()) ? Number(calls) : undefined;
  const nano = nanoOf(dollars);
  const nanoPerDay = dollars.trim() === "" ? null : (nano ?? undefined);
  const submit = () => {
    if (callsPerDay === undefined || nanoPerDay === undefined) return;
    set.mutate(
      { policy: judge.policy, hook: judge.hook, callsPerDay, nanoPerDay },
      {
        onSuccess: () => {
          toast.success(callsPerDay === null && nanoPerDay === null ? "The cap is gone" : "The cap is set");
          onSaved();
          onClose();
        },
      },
    );
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field
        label="Calls a day"
        aside="optional"
        error={callsPerDay === undefined ? "Write a whole number, such as 500." : undefined}
      >
        <Input
          inputMode="numeric"
          value={calls}
          placeholder="no limit"
          onChange={(event) => setCalls(event.target.value)}
        />
      </Field>
      <Field
        label="Dollars a day"
        aside="optional"
        error={nanoPerDay === undefined ? "Write dollars, such as 1.50." : undefined}
        help="Needs a price for its model: without one nothing is asked."
      >
        <Input
          inputMode="decimal"
          value={dollars}
          placeholder="no limit"
          onChange={(event) => setDollars(event.target.value)}
        />
      </Field>
      {set.error ? <ErrorLine>{failureSentence(set.error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          busy={set.isPending}
          disabled={callsPerDay === undefined || nanoPerDay === undefined}
        >
          Save cap
        </Button>
      </div>
    </form>
  );
}
