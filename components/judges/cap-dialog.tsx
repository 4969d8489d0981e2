"use client";

import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormCheckbox, FormField, useForm } from "@/components/ui/form";
import { dollars, emptyOr, said, wholeFrom } from "@/components/ui/form-texts";
import { dollarsOf } from "@/components/ui/format/dollars";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import type { JudgeView } from "@/server/judges/schema";

interface CapDialogProps {
  judge: JudgeView | null;
  onClose: () => void;
  onSaved: () => void;
}

/** The dialog for the daily limit of one judge, and the reuse of its verdicts. */
export function CapDialog({ judge, onClose, onSaved }: CapDialogProps) {
  return (
    <Dialog
      open={judge !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      size="sm"
      title={`Settings of the judge ${judge?.hook ?? ""}`}
      description="This daily limit applies in addition to the connection's limit. Above either limit, the judge fails, and the calls that it gates are denied until midnight UTC."
    >
      {judge ? <CapForm judge={judge} onClose={onClose} onSaved={onSaved} /> : null}
    </Dialog>
  );
}

const capForm = z.object({
  callsPerDay: said(emptyOr(wholeFrom(0, 1_000_000_000)), "Enter a whole number, such as 500."),
  nanoPerDay: said(emptyOr(dollars), "Enter an amount in dollars, such as 1.50."),
  reusesVerdicts: z.boolean(),
});

function CapForm({ judge, onClose, onSaved }: CapDialogProps & { judge: JudgeView }) {
  const trpc = useTRPC();
  const { callsPerDay: calls = null, nanoPerDay: nano = null } = judge.cap ?? {};
  const before = {
    callsPerDay: calls?.toString() ?? "",
    nanoPerDay: nano === null ? "" : dollarsOf(nano),
    reusesVerdicts: judge.reusesVerdicts,
  };
  const form = useForm(capForm, before, "onChange");
  const set = useMutation(trpc.judges.setCap.mutationOptions());
  const submit = async (cap: z.infer<typeof capForm>) => {
    await set.mutateAsync({ policy: judge.policy, hook: judge.hook, ...cap });
    toast.success("Settings saved");
    onSaved();
    onClose();
  };
  return (
    <Form form={form} onSubmit={submit} action="Save settings" onCancel={onClose}>
      <FormField form={form} name="callsPerDay" label="Calls a day" aside="optional">
        {(field) => <Input {...field} inputMode="numeric" placeholder="no limit" />}
      </FormField>
      <FormField
        form={form}
        name="nanoPerDay"
        label="Dollars a day"
        aside="optional"
        help="The model needs a price. Without a price, the judge is not called."
      >
        {(field) => <Input {...field} inputMode="decimal" placeholder="no limit" />}
      </FormField>
      <FormCheckbox
        form={form}
        name="reusesVerdicts"
        label="Reuse verdicts on equal calls: allow for 5 minutes, others for 30 minutes"
      />
    </Form>
  );
}
