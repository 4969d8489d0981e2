"use client";

import type { EventName } from "@quarterdeck/hooks/contract/events";
import { type InputField, inputFields } from "@quarterdeck/hooks/contract/input-fields";
import { type ReactNode, useState } from "react";
import { type ReadInput, withField } from "@/components/policies/playground/read-input";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";

export interface InputFormProps {
  event: EventName;
  input: ReadInput;
  onText: (text: string) => void;
}

/** The input field by field: the event's fields, and any others in the JSON. */
export function InputForm({ event, input, onText }: InputFormProps) {
  const { value, problems } = input;
  if (value === null) return <p className="text-muted">Invalid JSON. Correct the input to use the form.</p>;
  const own: readonly string[] = inputFields(event);
  const extra = Object.keys(value).filter((field) => !own.includes(field) && field !== "hook_event_name");
  const errorOf = (field: string) =>
    problems.find(({ pointer }) => pointer === `/${field}` || pointer.startsWith(`/${field}/`));
  // The fields that hooks usually read come first. The session's details and rare fields are hidden behind one click,
  // unless they are invalid.
  const isAside = (field: string) =>
    errorOf(field) === undefined && (EVERYWHERE.has(field) || (value[field] === undefined && own.includes(field)));
  const all = [...own, ...extra];
  const group = (fields: readonly string[]) => (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(180px,1fr))] items-start gap-3">
      {fields.map((field) => (
        <OneField
          key={field}
          field={field}
          value={value[field]}
          isExtra={!own.includes(field)}
          error={errorOf(field)}
          onValue={(next) => onText(withField(value, field, next))}
        />
      ))}
    </div>
  );
  const aside = all.filter(isAside);
  return (
    <div className="flex flex-col gap-3">
      {group(all.filter((field) => !isAside(field)))}
      {aside.length > 0 ? (
        <details>
          <summary className="text-muted text-sm">
            {aside.length} more fields: session, location, rarely sent fields
          </summary>
          <div className="mt-2">{group(aside)}</div>
        </details>
      ) : null}
    </div>
  );
}

const EVERYWHERE: ReadonlySet<string> = new Set<InputField>(["session_id", "cwd", "agent_name", "tool_use_id"]);

const NUMBERS: ReadonlySet<string> = new Set<InputField>([
  "iteration",
  "previous_max_iterations",
  "new_max_iterations",
  "cost",
  "input_tokens",
  "output_tokens",
  "context_limit",
]);
const CLAIMS: ReadonlySet<string> = new Set<InputField>(["tool_read_only", "tool_error"]);
const STRUCTURED: ReadonlySet<string> = new Set<InputField>([
  "tool_input",
  "messages",
  "steering_messages",
  "from_agent_models",
  "usage",
  "prompt_file",
  "skill",
  "conversation",
]);
const LONG: ReadonlySet<string> = new Set<InputField>([
  "prompt",
  "stop_response",
  "summary",
  "last_user_message",
  "tool_response",
  "input",
  "previous_output",
  "output",
]);

interface OneFieldProps {
  field: string;
  value: unknown;
  isExtra: boolean;
  error: { readonly pointer: string; readonly message: string } | undefined;
  onValue: (next: unknown) => void;
}

function OneField({ field, value, isExtra, error, onValue }: OneFieldProps) {
  const isText = value === undefined || value === null || typeof value === "string";
  const words = error && `${error.pointer}: ${error.message}`;
  const common = {
    label: <code>{field}</code>,
    ...(words ? { error: words } : {}),
    ...(isExtra ? { aside: "not of this event" } : {}),
  };
  if (CLAIMS.has(field) && (value === undefined || value === null || typeof value === "boolean"))
    return (
      <Field {...common}>
        <Select
          value={value === true ? "true" : value === false ? "false" : "absent"}
          onChange={(next) => onValue(next === "absent" ? undefined : next === "true")}
          options={[
            { value: "absent", label: "not sent" },
            { value: "true", label: "true" },
            { value: "false", label: "false" },
          ]}
        />
      </Field>
    );
  if (STRUCTURED.has(field) || !(isText || typeof value === "number"))
    return <StructuredField common={common} value={value} onValue={onValue} />;
  if (LONG.has(field) && isText)
    return (
      <Field {...common} className="col-span-full">
        <Textarea rows={2} value={value ?? ""} onChange={(event) => onValue(event.target.value || undefined)} />
      </Field>
    );
  return (
    <Field {...common}>
      <Input
        mono
        inputMode={NUMBERS.has(field) ? "decimal" : "text"}
        value={String(value ?? "")}
        onChange={(event) => onValue(typed(field, event.target.value))}
      />
    </Field>
  );
}

/** Digits are a number where one is wanted; anything else stays as typed and is reported as invalid. */
function typed(field: string, text: string): unknown {
  if (text === "") return undefined;
  return NUMBERS.has(field) && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** A value of its own shape, as JSON: taken over whenever it can be read. */
function StructuredField({
  common,
  value,
  onValue,
}: {
  common: { label: ReactNode; error?: string; aside?: string };
  value: unknown;
  onValue: (next: unknown) => void;
}) {
  const [held, setHeld] = useState(() => ({ text: written(value), value }));
  const [failure, setFailure] = useState<string | null>(null);
  // A change from outside, through the JSON or a sample, replaces the typed text.
  if (JSON.stringify(held.value) !== JSON.stringify(value)) {
    setHeld({ text: written(value), value });
    setFailure(null);
  }
  const type = (text: string) => {
    try {
      const next: unknown = text.trim() === "" ? undefined : JSON.parse(text);
      setHeld({ text, value: next });
      setFailure(null);
      onValue(next);
    } catch (error) {
      setHeld({ text, value });
      const why = error instanceof Error ? error.message : "it cannot be read";
      setFailure(`Invalid JSON, so runs use the previous input. ${why}`);
    }
  };
  return (
    <Field {...common} className="col-span-full" {...(failure === null ? {} : { error: failure })}>
      <Textarea
        mono
        rows={Math.min(8, Math.max(2, held.text.split("\n").length))}
        value={held.text}
        onChange={(event) => type(event.target.value)}
      />
    </Field>
  );
}

const written = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value, null, 2));
