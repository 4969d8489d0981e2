"use client";

import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Form, FormField, useForm } from "@/components/ui/form";
import { needed } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";
import { WORDS_CHARS_MAX } from "@/server/approvals/schema";

const denyForm = z.object({ words: needed("Enter a one-line reason.") });

export interface DenyFormProps {
  onCancel: () => void;
  onDeny: (words: string) => Promise<unknown>;
}

/** The text that an agent gets with a denial. */
export function DenyForm({ onCancel, onDeny }: DenyFormProps) {
  const form = useForm(denyForm, { words: "" });
  return (
    <Form
      form={form}
      onSubmit={({ words }) => onDeny(words)}
      className="gap-2"
      foot={
        <div className="flex gap-2">
          <Button type="submit" variant="danger" busy={form.formState.isSubmitting}>
            Deny
          </Button>
          <Button onClick={onCancel}>Back</Button>
        </div>
      }
    >
      <FormField form={form} name="words" label="Why not" help="The agent sees this reason.">
        {(field) => <Input {...field} autoFocus maxLength={WORDS_CHARS_MAX} />}
      </FormField>
    </Form>
  );
}
