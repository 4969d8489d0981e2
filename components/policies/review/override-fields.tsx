"use client";

import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";

export interface Override {
  readonly typed: string;
  readonly reason: string;
}

/** Publishing in spite of failing test cases: the policy's name typed, and why. Both are on record. */
export function OverrideFields({
  name,
  value,
  onChange,
}: {
  name: string;
  value: Override;
  onChange: (next: Override) => void;
}) {
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border p-3">
      <legend className="px-1 text-sm">Publish in spite of failing test cases</legend>
      <Notice kind="danger">
        What the cases promise will not hold. Which cases failed, and your reason, are kept in the audit log.
      </Notice>
      <Field label="Reason" help="For those who find out later.">
        <Textarea
          rows={2}
          maxLength={2000}
          value={value.reason}
          onChange={(event) => onChange({ ...value, reason: event.target.value })}
        />
      </Field>
      <Field label={`Type ${name} to go on`}>
        <Input
          value={value.typed}
          autoComplete="off"
          onChange={(event) => onChange({ ...value, typed: event.target.value })}
        />
      </Field>
    </fieldset>
  );
}
