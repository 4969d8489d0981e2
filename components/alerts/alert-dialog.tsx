"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DisabledWithoutPermission } from "@/components/access/permission";
import { type AlertDraft, conditionOf, draftOf, savingOf, type Wrongs } from "@/components/alerts/alert-draft";
import { ConditionFields } from "@/components/alerts/condition-fields";
import { PreviewView } from "@/components/alerts/preview-view";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { type AlertView, type Condition, SEVERITIES } from "@/server/alerts/schema";

export interface AlertDialogProps {
  open: boolean;
  /** Null for a new one. */
  rule: AlertView | null;
  /** Without a mail server letters are not sent. */
  hasMail: boolean;
  onClose: () => void;
}

const FORM = "alert-form";

/** The editor of one alert, with what it would have done before anybody saves it. */
export function AlertDialog({ open, rule, hasMail, onClose }: AlertDialogProps) {
  const trpc = useTRPC();
  const [draft, setDraft] = useState<AlertDraft>(() => draftOf(rule));
  const [wrongs, setWrongs] = useState<Wrongs>({});
  const [tried, setTried] = useState<Condition | null>(null);
  const save = useMutation(trpc.alerts.save.mutationOptions());
  const preview = useQuery({
    ...trpc.alerts.preview.queryOptions(tried ?? NEVER_ASKED),
    enabled: tried !== null,
    retry: false,
    staleTime: 60_000,
  });
  const change = (part: Partial<AlertDraft>) => setDraft((now) => ({ ...now, ...part }));
  const tryIt = () => {
    const { value, wrongs: found } = conditionOf(draft);
    setWrongs(found ?? {});
    setTried(value);
  };
  const submit = async () => {
    const { value, wrongs: found } = savingOf(draft, rule?.id);
    setWrongs(found ?? {});
    if (!value) return;
    await save.mutateAsync(value);
    toast.success("The alert is saved", { description: "It is looked at within a minute." });
    onClose();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      size="lg"
      title={rule ? `Alert ${rule.name}` : "New alert"}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <DisabledWithoutPermission to="alert:write">
            {(isRefused) => (
              <Button type="submit" form={FORM} variant="primary" busy={save.isPending} disabled={isRefused}>
                Save alert
              </Button>
            )}
          </DisabledWithoutPermission>
        </>
      }
    >
      <form
        id={FORM}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit().catch(() => undefined); // shown below
        }}
      >
        <div className="grid gap-4 sm:grid-cols-[1fr_140px]">
          <Field label="Name" error={wrongs.name}>
            <Input value={draft.name} autoComplete="off" onChange={(event) => change({ name: event.target.value })} />
          </Field>
          <Field label="Severity">
            <Select
              value={draft.severity}
              onChange={(severity) => change({ severity })}
              options={SEVERITIES.map((value) => ({ value, label: value }))}
            />
          </Field>
        </div>
        <ConditionFields draft={draft} wrongs={wrongs} onChange={change} />
        <div className="flex flex-col gap-2">
          <Button className="self-start" busy={preview.isFetching} onClick={tryIt}>
            Test on recent history
          </Button>
          {preview.error && tried ? <ErrorLine>{failureSentence(preview.error)}</ErrorLine> : null}
          {preview.data && tried ? <PreviewView preview={preview.data} condition={tried} /> : null}
        </div>
        <Field
          label="Email"
          aside="optional"
          error={wrongs.emails}
          help={
            hasMail
              ? "Addresses, separated by commas. Webhooks that subscribe to alerts are notified as well."
              : "Email is not set up, so no message will be sent: an owner sets it up under Settings, Mail. Webhooks that subscribe to alerts are notified."
          }
        >
          <Input
            value={draft.emails}
            autoComplete="off"
            placeholder="oncall@example.org"
            onChange={(event) => change({ emails: event.target.value })}
          />
        </Field>
        <Checkbox
          checked={draft.isEnabled}
          onChange={(isEnabled) => change({ isEnabled })}
          label="Enabled (checked every minute)"
        />
        {save.error ? <ErrorLine>{failureSentence(save.error)}</ErrorLine> : null}
      </form>
    </Dialog>
  );
}

/** Stands in for the input of a query that is not asked. */
const NEVER_ASKED: Condition = {
  measure: "dispatches",
  agentId: null,
  groupId: null,
  modelId: null,
  windowMinutes: 5,
  comparison: "above",
  threshold: 0n,
  forMinutes: 0,
};
