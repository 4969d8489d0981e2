"use client";

import { type Holder, namesIn, namesText, putKey, putNames } from "@/components/policies/document/names";
import type { Value } from "@/components/policies/document/write";
import { problemsWithin, useForm, useProblems } from "@/components/policies/form/form-context";
import { ChoicesField } from "@/components/policies/form/rules/choices-field";
import type { RuleField as Spec } from "@/components/policies/form/rules/conditions";
import { TypedText } from "@/components/policies/form/typed-text";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";

export interface RuleFieldProps {
  spec: Spec;
  value: unknown;
  holder: Holder;
  where: string;
}

/** One field of a condition. A value of another shape than the field's is named, and only the text changes it. */
export function RuleField({ spec, value, holder, where }: RuleFieldProps) {
  const { edit } = useForm();
  const problems = useProblems();
  const { key, label, help, control } = spec;
  const found = problemsWithin(problems, where);
  const error = found.length === 0 ? undefined : found.map(({ message }) => message).join(" ");
  const put = (next: Value | undefined, isTyping = false) =>
    void edit((text) => putKey(text, holder, key, next), isTyping);
  const putAll = (names: readonly string[], isTyping = false) =>
    void edit((text) => putNames(text, holder, key, names, control.kind === "list"), isTyping);

  if (control.kind === "flag")
    return (
      <Checkbox
        label={label}
        help={error ?? help}
        checked={value !== undefined && value !== false}
        onChange={(is) => put(is ? control.on : undefined)}
      />
    );
  if (control.kind === "choices" || control.kind === "parts") {
    const isAny = control.kind === "parts";
    return (
      <ChoicesField
        {...{ label, help, error }}
        choices={control.choices}
        chosen={listOf(value)}
        onChosen={(chosen) => (isAny && chosen.length === 0 ? put(true) : putAll(chosen))}
      />
    );
  }
  const line = control.kind === "names" || control.kind === "list" ? namesText(value) : scalarText(value);
  if (line === null) return <OnlyText label={label} error={error} />;
  return (
    <Field label={label} help={help} {...(error === undefined ? {} : { error })}>
      {control.kind === "names" || control.kind === "list" ? (
        <TypedText
          mono
          value={line}
          onText={(next) => {
            // A single comma is not a name yet.
            if (next === "" || namesIn(next).length > 0) putAll(namesIn(next), true);
          }}
        />
      ) : (
        <TypedText
          mono
          {...(control.kind === "number" ? { inputMode: "numeric" as const } : {})}
          value={line}
          onText={(next) => put(next === "" ? undefined : typed(next, control.kind === "number"), true)}
        />
      )}
    </Field>
  );
}

const typed = (text: string, isNumber: boolean): Value => (isNumber && /^\d{1,9}$/.test(text) ? Number(text) : text);

/** A value that the field's control cannot hold. */
function OnlyText({ label, error }: { label: string; error: string | undefined }) {
  return (
    <div className="flex flex-col gap-1 text-sm">
      <span className="font-medium">{label}</span>
      <p className="text-muted">The form cannot show this value. Edit the YAML instead.</p>
      {error === undefined ? null : <p className="text-deny">{error}</p>}
    </div>
  );
}

const scalarText = (value: unknown): string | null =>
  value === undefined || value === null
    ? ""
    : typeof value === "string" || typeof value === "number"
      ? String(value)
      : null;

const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
