"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { DisabledWithoutPermission } from "@/components/access/permission";
import { type AlertDraft, conditionOf, draftOf, savingOf } from "@/components/alerts/alert-draft";
import { ConditionFields } from "@/components/alerts/condition-fields";
import { PreviewView } from "@/components/alerts/preview-view";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Form, FormCheckbox, FormField, useForm } from "@/components/ui/form";
import { readBy } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { type AlertView, type Condition, type SaveAlert, SEVERITIES } from "@/server/alerts/schema";

export interface AlertDialogProps {
  open: boolean;
  /** Null for a new one. */
  rule: AlertView | null;
  /** Without a mail server letters are not sent. */
  hasMail: boolean;
  onClose: () => void;
}

const FORM = "alert-form";

/** The editor of one alert, with a preview of when it would have fired. */
export function AlertDialog({ open, rule, hasMail, onClose }: AlertDialogProps) {
  const trpc = useTRPC();
  const form = useForm(
    readBy((draft: AlertDraft) => savingOf(draft, rule?.id)),
    draftOf(rule),
  );
  const save = useMutation(trpc.alerts.save.mutationOptions());
  const { tried, preview, tryIt } = useConditionTest(form);
  const submit = async (values: SaveAlert) => {
    await save.mutateAsync(values);
    toast.success("Alert saved", { description: "The alert is first checked within a minute." });
    onClose();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      size="lg"
      title={rule ? `Alert ${rule.name}` : "New alert"}
      footer={<Foot isBusy={form.formState.isSubmitting} onClose={onClose} />}
    >
      <Form form={form} id={FORM} onSubmit={submit}>
        <div className="grid gap-4 sm:grid-cols-[1fr_140px]">
          <FormField form={form} name="name" label="Name">
            {(field) => <Input {...field} autoComplete="off" />}
          </FormField>
          <FormField form={form} name="severity" label="Severity">
            {(field) => <Select {...field} options={SEVERITIES.map((value) => ({ value, label: value }))} />}
          </FormField>
        </div>
        <ConditionFields form={form} />
        <div className="flex flex-col gap-2">
          <Button className="self-start" busy={preview.isFetching} onClick={tryIt}>
            Test on recent history
          </Button>
          {preview.error && tried ? <ErrorLine>{failureSentence(preview.error)}</ErrorLine> : null}
          {preview.data && tried ? <PreviewView preview={preview.data} condition={tried} /> : null}
        </div>
        <FormField
          form={form}
          name="emails"
          label="E-mail"
          aside="optional"
          help={
            hasMail
              ? "E-mail addresses, separated by commas. Webhooks that subscribe to alerts are notified as well."
              : "E-mail is not set up, so no message will be sent. An owner can set it up in Settings, Mail and sign-on. Webhooks that subscribe to alerts are still notified."
          }
        >
          {(field) => <Input {...field} autoComplete="off" placeholder="oncall@example.org" />}
        </FormField>
        <FormCheckbox form={form} name="isEnabled" label="Enabled (checked every minute)" />
      </Form>
    </Dialog>
  );
}

function Foot({ isBusy, onClose }: { isBusy: boolean; onClose: () => void }) {
  return (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <DisabledWithoutPermission to="alert:write">
        {(isRefused) => (
          <Button type="submit" form={FORM} variant="primary" busy={isBusy} disabled={isRefused}>
            Save alert
          </Button>
        )}
      </DisabledWithoutPermission>
    </>
  );
}

/** Tests the draft's condition on recorded data. */
function useConditionTest(form: UseFormReturn<AlertDraft, unknown, SaveAlert>) {
  const trpc = useTRPC();
  const [tried, setTried] = useState<Condition | null>(null);
  const preview = useQuery({
    ...trpc.alerts.preview.queryOptions(tried ?? NEVER_ASKED),
    enabled: tried !== null,
    retry: false,
    staleTime: 60_000,
  });
  const tryIt = () => {
    const read = conditionOf(form.getValues());
    form.clearErrors();
    setTried("input" in read ? read.input : null);
    if ("wrongs" in read)
      // Holds: the paths are the draft's own keys.
      for (const [path, message] of Object.entries(read.wrongs)) form.setError(path as keyof AlertDraft, { message });
  };
  // The result of a condition that was changed since would read as the result of the new one.
  const isCurrent = tried !== null && isSameCondition(conditionOf(form.watch()), tried);
  return { tried: isCurrent ? tried : null, preview, tryIt };
}

function isSameCondition(read: ReturnType<typeof conditionOf>, tried: Condition): boolean {
  if ("wrongs" in read) return false;
  const names = Object.keys(tried) as (keyof Condition)[]; // a parsed condition has no other keys
  return names.every((name) => read.input[name] === tried[name]);
}

/** Stands in for the input of a query that is not asked. */
const NEVER_ASKED: Condition = {
  measure: "dispatches",
  agentId: null,
  groupId: null,
  modelId: null,
  personId: null,
  signOnGroupId: null,
  windowMinutes: 5,
  comparison: "above",
  threshold: 0n,
  forMinutes: 0,
};
