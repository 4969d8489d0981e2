"use client";

import { useFreeze } from "@/components/policies/rollout/use-rollout";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";

export interface BrakeFieldProps {
  value: string;
  onChange: (value: string) => void;
}

/** In a frozen workspace: why this cannot wait. Nothing is drawn in another. */
export function BrakeField({ value, onChange }: BrakeFieldProps) {
  const freeze = useFreeze();
  if (!freeze) return null;
  return (
    <>
      <Notice kind="warning">
        {freeze.until === null ? `${freeze.by} froze the workspace` : "The workspace is in a freeze window"}:{" "}
        {freeze.reason} You can still undo a harmful change. Your reason is recorded.
      </Notice>
      <Field label="Reason for acting during the freeze">
        <Input value={value} maxLength={300} onChange={(event) => onChange(event.target.value)} autoComplete="off" />
      </Field>
    </>
  );
}

/** The reason field of an input; absent outside a freeze. Errors: a sentence if the reason is missing. */
export function duringFreeze(isFrozen: boolean, reason: string): { duringFreeze?: string } {
  if (!isFrozen) return {};
  if (reason.trim() === "") throw new Error("Enter the reason for acting during the freeze.");
  return { duringFreeze: reason.trim() };
}
