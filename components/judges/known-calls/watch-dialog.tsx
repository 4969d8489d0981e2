"use client";

import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { clockText, minuteOf } from "@/components/judges/known-calls/labels";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormCheckbox, FormField, useForm } from "@/components/ui/form";
import { dollars, emptyOr, said, wholeFrom } from "@/components/ui/form-texts";
import { dollarsOf } from "@/components/ui/format/dollars";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import type { KnownCallsView } from "@/server/prompts/known-calls/schema";
import type { PromptDetailView } from "@/server/prompts/schema";

interface WatchDialogProps {
  open: boolean;
  onClose: () => void;
  prompt: PromptDetailView;
  known: KnownCallsView;
}

/** The dialog for the daily run of known calls, its limits, and the halt beyond a limit. */
export function WatchDialog(props: WatchDialogProps) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={(isOpen) => (isOpen ? undefined : props.onClose())}
      size="md"
      title="Schedule and limits"
      description="A new revision, or a new model version at the provider, also starts a run. Your provider bills each run as usual."
    >
      {props.open ? <WatchForm {...props} /> : null}
    </Dialog>
  );
}

const watchForm = z.object({
  isOn: z.boolean(),
  minute: said(minuteOf, "Enter a time, such as 03:00."),
  recallMin: said(emptyOr(wholeFrom(1, 100)), "Enter a whole number from 1 to 100."),
  falseAlarmsMax: said(emptyOr(wholeFrom(0, 99)), "Enter a whole number from 0 to 99."),
  flipsMax: said(emptyOr(wholeFrom(0, 99)), "Enter a whole number from 0 to 99."),
  nanoMax: said(emptyOr(dollars), "Enter an amount in dollars, such as 1.50."),
  halts: z.boolean(),
});

function WatchForm({ onClose, prompt, known: { watch, timeZone } }: WatchDialogProps) {
  const trpc = useTRPC();
  const text = (value: number | null) => value?.toString() ?? "";
  const form = useForm(
    watchForm,
    {
      ...{ isOn: watch.isOn, minute: clockText(watch.minute), halts: watch.halts },
      ...{ recallMin: text(watch.recallMin), falseAlarmsMax: text(watch.falseAlarmsMax) },
      ...{ flipsMax: text(watch.flipsMax), nanoMax: watch.nanoMax === null ? "" : dollarsOf(watch.nanoMax) },
    },
    "onChange",
  );
  const set = useMutation(trpc.knownCalls.setWatch.mutationOptions());
  const submit = async (settings: z.infer<typeof watchForm>) => {
    await set.mutateAsync({ promptId: prompt.id, ...settings });
    toast.success("Schedule and limits of the known calls saved");
    onClose();
  };
  const percent = { inputMode: "numeric", placeholder: "no limit" } as const;
  return (
    <Form form={form} onSubmit={submit} action="Save" onCancel={onClose}>
      <FormCheckbox form={form} name="isOn" label="Ask the judge about the known calls every day" />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <FormField form={form} name="minute" label="Time of day" help={`In the workspace's time zone, ${timeZone}.`}>
          {(field) => <Input {...field} type="time" />}
        </FormField>
        <FormField form={form} name="nanoMax" label="Maximum cost of a run, in dollars" aside="optional">
          {(field) => <Input {...field} inputMode="decimal" placeholder="no limit" />}
        </FormField>
        <FormField form={form} name="recallMin" label="Minimum recall, percent" aside="optional">
          {(field) => <Input {...field} {...percent} />}
        </FormField>
        <FormField
          form={form}
          name="falseAlarmsMax"
          label="Maximum false alarms, percent of the good calls"
          aside="optional"
        >
          {(field) => <Input {...field} {...percent} />}
        </FormField>
        <FormField
          form={form}
          name="flipsMax"
          label="Maximum flip rate, percent"
          aside="optional"
          help="Share of known calls whose verdict differs from the previous run of the same revision."
        >
          {(field) => <Input {...field} {...percent} />}
        </FormField>
      </div>
      <FormCheckbox
        form={form}
        name="halts"
        label="Halt the judge when a run misses a limit"
        help="The hooks of a halted judge fail without asking the model. Tool calls are denied, and other events follow the hook's on_error. A person must resume the judge."
      />
    </Form>
  );
}
