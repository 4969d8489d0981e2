"use client";

import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { SCOPE_SAYS } from "@/components/agents/scopes";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormChecks, FormField, useForm } from "@/components/ui/form";
import { Select } from "@/components/ui/select";
import { KEY_SCOPES } from "@/server/access/role-schema";
import { type AgentView, type CreateKey, createKey } from "@/server/agents/schema";

export interface AddKeyDialogProps {
  agent: AgentView;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onAdded: (key: string) => Promise<unknown>;
}

/** Adds a key with a purpose and an expiry. */
export function AddKeyDialog({ agent, open, onOpenChange, onAdded }: AddKeyDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} size="sm" title={`New key for ${agent.name}`}>
      {open ? <KeyForm agent={agent} onClose={() => onOpenChange(false)} onAdded={onAdded} /> : null}
    </Dialog>
  );
}

const ENDS = [
  { value: "never", label: "never" },
  { value: "30", label: "in 30 days" },
  { value: "90", label: "in 90 days" },
  { value: "365", label: "in a year" },
] as const;
const keyForm = createKey.extend({
  scopes: createKey.shape.scopes.unwrap(),
  days: z
    .string()
    .transform((ends) => (ends === "never" ? undefined : Number(ends)))
    .pipe(createKey.shape.days),
});

interface KeyFormProps {
  agent: AgentView;
  onClose: () => void;
  onAdded: (key: string) => Promise<unknown>;
}

function KeyForm({ agent, onClose, onAdded }: KeyFormProps) {
  const trpc = useTRPC();
  const form = useForm(keyForm, { agentId: agent.id, scopes: [...KEY_SCOPES], days: "never" });
  const add = useMutation(trpc.agents.createKey.mutationOptions());
  const submit = async (values: CreateKey) => {
    const { key } = await add.mutateAsync(values);
    onClose();
    await onAdded(key);
  };
  return (
    <Form form={form} onSubmit={submit} action="Add key" onCancel={onClose}>
      <FormChecks
        form={form}
        name="scopes"
        legend="Purpose"
        options={KEY_SCOPES.map((value) => ({ value, label: value, help: SCOPE_SAYS[value] }))}
      />
      <FormField form={form} name="days" label="Expires">
        {(field) => <Select {...field} options={ENDS} />}
      </FormField>
    </Form>
  );
}
