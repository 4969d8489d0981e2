"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { z } from "zod";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import {
  hasServiceName,
  NEW_SERVICE,
  NO_OWNER,
  ownerFields,
  ownerOf,
  ownerOptions,
} from "@/components/principals/owner-choice";
import { useTRPC } from "@/components/trpc/client";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import type { OwnerView } from "@/server/principals/schema";

const ownerForm = z
  .object(ownerFields)
  .refine(hasServiceName, { path: ["service"], message: "Enter the name of the service." });

export interface OwnerFormProps {
  agentId: string;
  owner: OwnerView["owner"];
  onClose: () => void;
}

/** Sets the person or service that an agent works for. */
export function OwnerForm({ agentId, owner, onClose }: OwnerFormProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const choices = useQuery(trpc.principals.choices.queryOptions());
  const form = useForm(ownerForm, { owner: NO_OWNER, service: "" });
  const chosen = useWatch({ control: form.control, name: "owner" });
  const set = useMutation(trpc.principals.setOwner.mutationOptions(orSecondPerson("set_agent_owner", onClose)));
  const submit = async (values: z.infer<typeof ownerForm>) => {
    await set.mutateAsync({ agentId, owner: ownerOf(values) });
    toast.success("Owner saved");
    void queries.invalidateQueries({ queryKey: trpc.principals.pathKey() });
    onClose();
  };
  return (
    <Form form={form} className="gap-3 pb-0" onSubmit={submit} action="Save owner" onCancel={onClose}>
      <FormField
        form={form}
        name="owner"
        label="Works for"
        help={`Applies to calls from now on. Recorded calls keep their person${owner === null ? "" : `, ${owner.name}`}.`}
      >
        {(field) => <Select {...field} options={ownerOptions(choices.data)} />}
      </FormField>
      {chosen === NEW_SERVICE ? (
        <FormField form={form} name="service" label="Name of the service" help="For example: ci, nightly review.">
          {(field) => <Input {...field} maxLength={64} autoComplete="off" />}
        </FormField>
      ) : null}
    </Form>
  );
}
