"use client";

import { useMemo } from "react";
import { useWatch } from "react-hook-form";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { DiffBlock } from "@/components/ui/code/diff-block";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Textarea } from "@/components/ui/textarea";

export interface EditFormProps {
  /** JSON text of an object. */
  input: string;
  onCancel: () => void;
  onAllow: (editedInput: string) => Promise<unknown>;
}

/** The call's arguments to change, with what changes; policies judge them again. */
export function EditForm({ input, onCancel, onAllow }: EditFormProps) {
  const before = JSON.stringify(JSON.parse(input), null, 2);
  const schema = useMemo(() => editFormOf(before), [before]);
  const form = useForm(schema, { text: before });
  const text = useWatch({ control: form.control, name: "text" });
  return (
    <Form
      form={form}
      onSubmit={(values) => onAllow(values.text)}
      className="gap-2"
      foot={
        <div className="flex gap-2">
          <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
            Allow edited call
          </Button>
          <Button onClick={onCancel}>Back</Button>
        </div>
      }
    >
      <FormField
        form={form}
        name="text"
        label="New input for the call"
        help="The policies check the new input before the call runs."
      >
        {(field) => (
          <Textarea
            {...field}
            autoFocus
            className="font-mono text-sm"
            rows={Math.min(12, text.split("\n").length + 1)}
          />
        )}
      </FormField>
      {problemOf(text, before) === null ? (
        <DiffBlock
          before={before}
          after={JSON.stringify(JSON.parse(text), null, 2)}
          label="Your change"
          maxHeight={240}
        />
      ) : null}
    </Form>
  );
}

const editFormOf = (before: string) =>
  z.object({
    text: z.string().check((context) => {
      const message = problemOf(context.value, before);
      if (message !== null) context.issues.push({ code: "custom", message, input: context.value });
    }),
  });

function problemOf(text: string, before: string): string | null {
  if (text === before) return "No changes yet.";
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? null : "Enter a JSON object.";
  } catch (error) {
    return `Invalid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
