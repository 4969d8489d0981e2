"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { WEBHOOK_KIND_NAMES, WEBHOOK_KINDS, type WebhookKind } from "@/server/audit/webhook-kinds-schema";
import { saveWebhook, type WebhookView } from "@/server/webhooks/schema";

export interface WebhookDialogProps {
  open: boolean;
  /** Null for a new one. */
  webhook: WebhookView | null;
  onClose: () => void;
  /** With the secret of a new one. */
  onSaved: (secret: string | null) => void;
}

const FORM = "webhook-form";

/** Where a webhook leads and what it is told of. */
export function WebhookDialog({ open, webhook, onClose, onSaved }: WebhookDialogProps) {
  const trpc = useTRPC();
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [kinds, setKinds] = useState<readonly WebhookKind[]>(webhook?.kinds ?? ["alert.fired", "alert.resolved"]);
  const [isEnabled, setEnabled] = useState(webhook?.isEnabled ?? true);
  const [wrongs, setWrongs] = useState<Readonly<Record<string, string>>>({});
  const save = useMutation(trpc.webhooks.save.mutationOptions());
  const submit = async () => {
    const parsed = saveWebhook.safeParse({ ...(webhook ? { id: webhook.id } : {}), url, kinds, isEnabled });
    setWrongs(
      parsed.success ? {} : Object.fromEntries(parsed.error.issues.map((one) => [String(one.path[0]), one.message])),
    );
    if (!parsed.success) return;
    const { secret } = await save.mutateAsync(parsed.data);
    onSaved(secret);
    onClose();
  };
  const choose = (kind: WebhookKind, isChosen: boolean) =>
    setKinds((now) => (isChosen ? [...now, kind] : now.filter((one) => one !== kind)));
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={webhook ? "Webhook" : "New webhook"}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={FORM} variant="primary" busy={save.isPending}>
            Save webhook
          </Button>
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
        <Field
          label="Address"
          error={wrongs.url}
          help="Public and over https, unless the operator allows a private one."
        >
          <Input
            value={url}
            autoComplete="off"
            inputMode="url"
            placeholder="https://example.com/quarterdeck"
            onChange={(event) => setUrl(event.target.value)}
          />
        </Field>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-medium text-sm">Tell it of</legend>
          {WEBHOOK_KIND_NAMES.map((kind) => (
            <Checkbox
              key={kind}
              checked={kinds.includes(kind)}
              onChange={(isChosen) => choose(kind, isChosen)}
              label={WEBHOOK_KINDS[kind].says}
              help={<code>{kind}</code>}
            />
          ))}
          {wrongs.kinds ? <ErrorLine>{wrongs.kinds}</ErrorLine> : null}
        </fieldset>
        <Checkbox checked={isEnabled} onChange={setEnabled} label="On" help="While it is off it is told nothing." />
        {save.error ? <ErrorLine>{failureSentence(save.error)}</ErrorLine> : null}
      </form>
    </Dialog>
  );
}
