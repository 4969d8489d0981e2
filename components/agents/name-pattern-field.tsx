"use client";

import type { UseFormReturn } from "react-hook-form";
import type { GroupForm } from "@/components/agents/group-draft";
import { FormField } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { NAME_PATTERN_MAX } from "@/server/agents/name-pattern-schema";

export interface NamePatternFieldProps {
  form: UseFormReturn<GroupForm, unknown, GroupForm>;
  /** The agents that it matches, in a sentence; null while there is no pattern. */
  preview: string | null;
}

/** A pattern of names, with the agents that it matches as it is typed. */
export function NamePatternField({ form, preview }: NamePatternFieldProps) {
  return (
    <div className="flex flex-col gap-2">
      <FormField
        form={form}
        name="pattern"
        label="Pattern"
        help="* matches any characters, ? matches one. Agents join and leave by name."
      >
        {(field) => (
          <Input
            {...field}
            mono
            maxLength={NAME_PATTERN_MAX}
            placeholder="prod-*"
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </FormField>
      <p aria-live="polite" className="break-words text-muted text-sm">
        {preview}
      </p>
    </div>
  );
}
