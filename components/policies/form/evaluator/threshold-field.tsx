"use client";

import { numberOf, textOf } from "@/components/policies/form/evaluator/evaluator-text";
import { TypedText } from "@/components/policies/form/typed-text";
import { Field } from "@/components/ui/field";

export interface ThresholdFieldProps {
  value: unknown;
  onValue: (value: number | string) => void;
}

/** The least probability with which an answer counts. */
export function ThresholdField({ value, onValue }: ThresholdFieldProps) {
  return (
    <Field label="Minimum probability" help="A number above 0 and at most 1.">
      <TypedText
        inputMode="decimal"
        placeholder="0.8"
        value={textOf(value)}
        onText={(next) => (next === "" ? undefined : onValue(numberOf(next)))}
      />
    </Field>
  );
}
