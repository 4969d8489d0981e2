"use client";

import type { PublishFormState } from "@/components/policies/publish-form";
import { FormField } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";

interface OverrideFieldsProps {
  /** The policy's. */
  name: string;
  /** The refusals that are overridden: "failing test cases". */
  despite: string;
  form: PublishFormState;
}

/** Publishing despite a refusal: asks for the policy's name and a reason, which are both recorded. */
export function OverrideFields({ name, despite, form }: OverrideFieldsProps) {
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border p-3">
      <legend className="px-1 text-sm">Publish despite {despite}</legend>
      <Notice kind="danger">The {despite} and your reason are stored in the audit log.</Notice>
      <FormField form={form} name="override.reason" label="Reason" help="The reason is stored in the audit log.">
        {(field) => <Textarea {...field} rows={2} maxLength={2000} />}
      </FormField>
      <FormField form={form} name="override.typed" label={`Type ${name} to continue`}>
        {(field) => <Input {...field} autoComplete="off" />}
      </FormField>
    </fieldset>
  );
}
