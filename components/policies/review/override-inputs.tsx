"use client";

import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";

export interface TypedOverride {
  readonly typed: string;
  readonly reason: string;
}

export const NOT_TYPED: TypedOverride = { typed: "", reason: "" };

export const isComplete = ({ typed, reason }: TypedOverride, name: string): boolean =>
  typed === name && reason.trim() !== "";

interface OverrideInputsProps {
  /** The policy's. */
  name: string;
  value: TypedOverride;
  onChange: (next: TypedOverride) => void;
}

/** The override of findings that block, outside a form: a reason, and the policy's name. */
export function OverrideInputs({ name, value, onChange }: OverrideInputsProps) {
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border p-3">
      <legend className="px-1 text-sm">Override the findings</legend>
      <Field label="Reason" help="The reason is stored with the revision and in the audit log.">
        <Textarea
          rows={2}
          maxLength={2000}
          value={value.reason}
          onChange={(event) => onChange({ ...value, reason: event.target.value })}
        />
      </Field>
      <Field label={`Type ${name} to continue`}>
        <Input
          autoComplete="off"
          value={value.typed}
          onChange={(event) => onChange({ ...value, typed: event.target.value })}
        />
      </Field>
    </fieldset>
  );
}
