"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormCheckbox, FormChecks, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { WEBHOOK_KIND_NAMES, WEBHOOK_KINDS } from "@/server/audit/webhook-kinds-schema";
import {
  type SaveWebhook,
  saveWebhook,
  WEBHOOK_SHAPES,
  type WebhookShape,
  type WebhookView,
} from "@/server/webhooks/schema";

export interface WebhookDialogProps {
  open: boolean;
  /** Null for a new one. */
  webhook: WebhookView | null;
  onClose: () => void;
  /** With the secret of a new one. */
  onSaved: (secret: string | null) => void;
}

const FORM = "webhook-form";

const SHAPE_LABELS: Readonly<Record<WebhookShape, string>> = {
  json: "Quarterdeck JSON, signed",
  slack: "Slack message",
  teams: "Microsoft Teams message",
};

/** The address of a webhook, and the events that are sent to it. */
export function WebhookDialog({ open, webhook, onClose, onSaved }: WebhookDialogProps) {
  const trpc = useTRPC();
  const form = useForm(saveWebhook, {
    ...(webhook ? { id: webhook.id } : {}),
    url: webhook?.url ?? "",
    kinds: webhook?.kinds ?? ["alert.fired", "alert.resolved"],
    shape: webhook?.shape ?? "json",
    isEnabled: webhook?.isEnabled ?? true,
  });
  const save = useMutation(trpc.webhooks.save.mutationOptions());
  const submit = async (values: SaveWebhook) => {
    const { secret } = await save.mutateAsync(values);
    onSaved(secret);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={webhook ? "Webhook" : "New webhook"}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={FORM} variant="primary" busy={form.formState.isSubmitting}>
            Save webhook
          </Button>
        </>
      }
    >
      <Form form={form} id={FORM} onSubmit={submit}>
        <FormField
          form={form}
          name="url"
          label="Address"
          help="Enter a public https address. The server's operator can allow private addresses."
        >
          {(field) => (
            <Input {...field} autoComplete="off" inputMode="url" placeholder="https://example.com/quarterdeck" />
          )}
        </FormField>
        <FormField
          form={form}
          name="shape"
          label="Format"
          help="Choose your chat's format. Messages link to this console. Opening a link neither allows nor denies a call."
        >
          {(field) => (
            <Select {...field} options={WEBHOOK_SHAPES.map((value) => ({ value, label: SHAPE_LABELS[value] }))} />
          )}
        </FormField>
        <FormChecks
          form={form}
          name="kinds"
          legend="Events"
          options={WEBHOOK_KIND_NAMES.map((value) => ({
            value,
            label: WEBHOOK_KINDS[value].says,
            help: <code>{value}</code>,
          }))}
        />
        <FormCheckbox
          form={form}
          name="isEnabled"
          label="On"
          help="If off, Quarterdeck sends no messages to this webhook."
        />
      </Form>
    </Dialog>
  );
}
