"use client";

import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";

interface SaveWeakerProps {
  disabled: boolean;
  onSave: (reason: string) => Promise<unknown>;
}

/** The emergency path: one person saves a weaker masking alone, with a reason. */
export function SaveWeaker({ disabled, onSave }: SaveWeakerProps) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await onSave(reason);
      setOpen(false);
    } catch (error) {
      setFailure(failureSentence(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <PermittedButton to="policy:emergency" disabled={disabled} onClick={() => setOpen(true)}>
        Save as an emergency…
      </PermittedButton>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Save without a second person"
        size="sm"
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Back</Button>
            <Button variant="danger" disabled={reason.trim().length < 10} busy={isBusy} onClick={() => void save()}>
              Save masking as an emergency
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-4 pb-3">
          <Notice kind="danger">
            A change that stops masking something applies at once. The audit log records your name and reason.
          </Notice>
          <Field label="Reason not to wait for a second person">
            <Textarea value={reason} maxLength={500} rows={3} onChange={(event) => setReason(event.target.value)} />
          </Field>
          {failure === null ? null : <ErrorLine>{failure}</ErrorLine>}
        </div>
      </Dialog>
    </>
  );
}
