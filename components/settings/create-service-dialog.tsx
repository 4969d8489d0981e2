"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { NameForm } from "@/components/layout/name-form";
import { ROLE_SAYS } from "@/components/settings/roles";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { type CreateService, createService, SERVICE_ROLES } from "@/server/people/schema";

export interface CreateServiceDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated: () => Promise<unknown>;
}

/** Creates a service account with a name and a role. */
export function CreateServiceDialog({ open, onOpenChange, onCreated }: CreateServiceDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} size="sm" title="New service account">
      {open ? <Form onClose={() => onOpenChange(false)} onCreated={onCreated} /> : null}
    </Dialog>
  );
}

const OPTIONS = SERVICE_ROLES.map((value) => ({ value, label: value }));

const wrongWith = (name: string) => createService.shape.name.safeParse(name).error?.issues[0]?.message ?? null;

function Form({ onClose, onCreated }: { onClose: () => void; onCreated: () => Promise<unknown> }) {
  const trpc = useTRPC();
  const [role, setRole] = useState<CreateService["role"]>("author");
  const create = useMutation(
    trpc.serviceAccounts.create.mutationOptions({
      onSuccess: async () => {
        onClose();
        await onCreated();
      },
    }),
  );
  return (
    <NameForm
      help="For example: release pipeline, nightly tests."
      action="Create"
      wrongWith={wrongWith}
      error={create.error}
      busy={create.isPending}
      onSubmit={(name) => create.mutate({ name, role })}
      onCancel={onClose}
    >
      <Field label="Role" help={ROLE_SAYS[role]}>
        <Select value={role} onChange={setRole} options={OPTIONS} />
      </Field>
    </NameForm>
  );
}
