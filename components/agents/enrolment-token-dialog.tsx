"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { z } from "zod";
import type { NewToken } from "@/components/agents/new-token-dialog";
import { typedTags } from "@/components/agents/tags-text";
import {
  hasServiceName,
  NEW_SERVICE,
  NO_OWNER,
  ownerFields,
  ownerOf,
  ownerOptions,
} from "@/components/principals/owner-choice";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { createEnrolmentToken } from "@/server/agents/enrolment-token-schema";

export interface EnrolmentTokenDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated: (created: NewToken) => Promise<unknown>;
}

/** A token: for how many machines, until when, into which group, with which tags, and for whom the agents work. */
export function EnrolmentTokenDialog({ open, onOpenChange, onCreated }: EnrolmentTokenDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title="New enrolment token"
      description="Each machine that joins with the token gets its own agent and key."
    >
      {open ? <TokenForm onClose={() => onOpenChange(false)} onCreated={onCreated} /> : null}
    </Dialog>
  );
}

const NO_GROUP = "none";
const ENDS = [
  { value: "1", label: "in an hour" },
  { value: "24", label: "in a day" },
  { value: "168", label: "in 7 days" },
  { value: "720", label: "in 30 days" },
  { value: "2160", label: "in 90 days" },
] as const;
const { shape } = createEnrolmentToken;
const tokenFields = z.object({
  name: shape.name,
  uses: z.string().trim().min(1, "Enter the number of machines.").transform(Number).pipe(shape.uses),
  hours: z.string().transform(Number).pipe(shape.hours),
  groupId: z
    .string()
    .transform((id) => (id === NO_GROUP ? undefined : id))
    .pipe(shape.groupId),
  tags: typedTags,
  ...ownerFields,
});
const tokenForm = tokenFields.refine(hasServiceName, {
  path: ["service"],
  message: "Enter the name of the service.",
});

interface TokenFormProps {
  onClose: () => void;
  onCreated: (created: NewToken) => Promise<unknown>;
}

function TokenForm({ onClose, onCreated }: TokenFormProps) {
  const trpc = useTRPC();
  const groups = useQuery(trpc.agents.groups.queryOptions());
  const form = useForm(tokenForm, {
    name: "",
    uses: "1",
    hours: "24",
    groupId: NO_GROUP,
    tags: "",
    owner: NO_OWNER,
    service: "",
  });
  const owners = useQuery(trpc.principals.choices.queryOptions());
  const chosen = useWatch({ control: form.control, name: "owner" });
  const create = useMutation(trpc.agents.createEnrolmentToken.mutationOptions());
  const submit = async ({ groupId, tags = [], owner: choice, service, ...values }: z.infer<typeof tokenForm>) => {
    const owner = ownerOf({ owner: choice, service });
    const { token } = await create.mutateAsync({
      ...values,
      ...(groupId !== undefined && { groupId }),
      ...(tags.length > 0 && { tags }),
      ...(owner !== null && { owner }),
    });
    onClose();
    await onCreated({ name: values.name, token });
  };
  const choices = [
    { value: NO_GROUP, label: "none" },
    // The agents of a group with a pattern are found by their names.
    ...(groups.data ?? [])
      .filter(({ namePattern }) => namePattern === null)
      .map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <Form form={form} onSubmit={submit} action="Create token" onCancel={onClose}>
      <FormField form={form} name="name" label="Name" help="For example: ci runners, payments laptops.">
        {(field) => <Input {...field} maxLength={64} autoComplete="off" />}
      </FormField>
      <FormField form={form} name="uses" label="Machines">
        {(field) => <Input {...field} inputMode="numeric" autoComplete="off" />}
      </FormField>
      <FormField form={form} name="hours" label="Expires">
        {(field) => <Select {...field} options={ENDS} />}
      </FormField>
      <FormField form={form} name="groupId" label="Group">
        {(field) => <Select {...field} options={choices} />}
      </FormField>
      <FormField
        form={form}
        name="tags"
        label="Tags"
        help="Separate tags with commas, such as payments, prod. Each new agent gets them."
      >
        {(field) => <Input {...field} autoComplete="off" />}
      </FormField>
      <FormField form={form} name="owner" label="Works for" help="The person or service behind the agents that join.">
        {(field) => <Select {...field} options={ownerOptions(owners.data)} />}
      </FormField>
      {chosen === NEW_SERVICE ? (
        <FormField form={form} name="service" label="Name of the service" help="For example: ci, nightly review.">
          {(field) => <Input {...field} maxLength={64} autoComplete="off" />}
        </FormField>
      ) : null}
    </Form>
  );
}
