"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ROLE_SAYS } from "@/components/settings/roles";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { type CreateService, createService, SERVICE_ROLES } from "@/server/people/schema";

export interface CreateServiceDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated: () => Promise<unknown>;
}

/** Names a service account and says what it may do. */
export function CreateServiceDialog({ open, onOpenChange, onCreated }: CreateServiceDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} size="sm" title="New service account">
      {open ? <Form onClose={() => onOpenChange(false)} onCreated={onCreated} /> : null}
    </Dialog>
  );
}

const OPTIONS = SERVICE_ROLES.map((value) => ({ value, label: value }));

function Form({ onClose, onCreated }: { onClose: () => void; onCreated: () => Promise<unknown> }) {
  const trpc = useTRPC();
  const [draft, setDraft] = useState<CreateService>({ name: "", role: "author" });
  const [wrong, setWrong] = useState<string | undefined>();
  const create = useMutation(
    trpc.services.create.mutationOptions({
      onSuccess: async () => {
        onClose();
        await onCreated();
      },
    }),
  );
  const submit = () => {
    const parsed = createService.safeParse(draft);
    setWrong(parsed.error?.issues[0]?.message);
    if (parsed.success) create.mutate(parsed.data);
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
      <Field label="Name" help="What it is for: release pipeline, nightly tests." error={wrong}>
        <Input
          autoFocus
          autoComplete="off"
          maxLength={80}
          value={draft.name}
          onChange={(event) => setDraft({ ...draft, name: event.target.value })}
        />
      </Field>
      <Field label="Role" help={`One that ${ROLE_SAYS[draft.role]}.`}>
        <Select value={draft.role} onChange={(role) => setDraft({ ...draft, role })} options={OPTIONS} />
      </Field>
      {create.error ? <ErrorLine>{failureSentence(create.error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={create.isPending}>
          Create
        </Button>
      </div>
    </form>
  );
}
