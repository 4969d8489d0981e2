"use client";

import { BUILTIN_NAMES, builtinFacts } from "@quarterdeck/hooks/contract/builtins";
import type { EventContract } from "@quarterdeck/hooks/contract/events";
import { ON_ERROR } from "@quarterdeck/hooks/contract/hook";
import { setKey, unsetKey } from "@/components/policies/document/edits";
import type { HookNode } from "@/components/policies/document/tree";
import type { Value } from "@/components/policies/document/write";
import { type FieldSpec, HOOK_ORDER, meaningOf } from "@/components/policies/form/fields";
import { problemAt, useForm, useProblems } from "@/components/policies/form/form-context";
import { ListField } from "@/components/policies/form/list-field";
import { ModelField } from "@/components/policies/form/model-field";
import { PairsField } from "@/components/policies/form/pairs-field";
import { failureWords } from "@/components/policies/form/purpose";
import { TypedText } from "@/components/policies/form/typed-text";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

export interface HookFieldProps {
  hook: HookNode;
  spec: FieldSpec;
  event: string;
  contract: EventContract | null;
}

const ABSENT = "(default)";

/** One field of a hook: its words, its control, and what is wrong with it. */
export function HookField({ hook, spec, event, contract }: HookFieldProps) {
  const { edit, profile } = useForm();
  const problems = useProblems();
  const { key, label, control } = spec;
  const value = hook.fields[key];
  const error = problemAt(problems, `${hook.where}.${key}`);
  const put = (next: Value | undefined, isTyping = false) =>
    edit(
      (text) => (next === undefined ? unsetKey(text, hook.path, key) : setKey(text, hook.path, key, next, HOOK_ORDER)),
      isTyping,
    );
  const tied = { label, ...(error === undefined ? {} : { error }) };
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";

  switch (control) {
    case "line":
      return (
        <Field {...tied} help={meaningOf(key)}>
          <TypedText value={text} onText={(next) => put(next === "" ? undefined : next, true)} mono={key !== "name"} />
        </Field>
      );
    case "model":
      return (
        <Field {...tied} help={meaningOf(key)}>
          <ModelField value={text} onText={(next) => put(next === "" ? undefined : next, true)} />
        </Field>
      );
    case "script": {
      // A block of text ends with a line end that nobody typed: it is not shown, and stays.
      const tail = text.endsWith("\n") ? "\n" : "";
      return (
        <Field {...tied} help={scriptHelp(key, contract)}>
          <TypedText
            lines
            mono
            value={tail === "" ? text : text.slice(0, -1)}
            onText={(next) => put(next === "" ? undefined : next + (tail || (next.includes("\n") ? "\n" : "")), true)}
          />
        </Field>
      );
    }
    case "seconds":
      return (
        <Field {...tied} help={meaningOf(key)}>
          <TypedText
            inputMode="numeric"
            placeholder="60"
            value={text}
            onText={(next) => put(next === "" ? undefined : /^\d{1,7}$/.test(next) ? Number(next) : next, true)}
          />
        </Field>
      );
    case "builtin": {
      const facts = builtinFacts(text);
      const options = [
        ...(text !== "" && !facts ? [{ value: text, label: `${text} (unknown)` }] : []),
        ...byFit(event).map((name) => ({
          value: name as string,
          label: name,
          aside: fits(name, event) ? "made for this" : "",
        })),
      ];
      const where = facts && !facts.places.includes("server") ? " It runs beside the agent." : "";
      return (
        <Field {...tied} help={facts ? facts.says + where : "What is built in needs no script."}>
          <Select value={text === "" ? undefined : text} onChange={(next) => void put(next)} options={options} />
        </Field>
      );
    }
    case "failure":
      return (
        <Field {...tied} help={failureWords(text, contract, profile)}>
          <Select
            value={text === "" ? ABSENT : text}
            onChange={(next) => void put(next === ABSENT ? undefined : next)}
            options={[
              { value: ABSENT, label: "warn, by default" },
              ...ON_ERROR.map((one) => ({ value: one as string, label: one })),
            ]}
          />
        </Field>
      );
    case "place":
      return (
        <Field {...tied} help={meaningOf(key)}>
          <Select
            value={text === "" ? ABSENT : text}
            onChange={(next) => void put(next === ABSENT ? undefined : next)}
            options={[
              { value: ABSENT, label: "its own place" },
              { value: "server", label: "the server" },
              { value: "agent", label: "beside the agent" },
            ]}
          />
        </Field>
      );
    case "schema":
      return (
        <Field
          {...tied}
          help={
            text === ""
              ? "The reply becomes context for the model."
              : "The reply is a decision: allow, ask or deny, with a reason."
          }
        >
          <Select
            value={text === "" ? ABSENT : text}
            onChange={(next) => void put(next === ABSENT ? undefined : next)}
            options={[
              { value: ABSENT, label: "as context" },
              { value: "pre_tool_use_decision", label: "as a decision" },
              ...(text !== "" && text !== "pre_tool_use_decision" ? [{ value: text, label: text }] : []),
            ]}
          />
        </Field>
      );
    case "flag":
      if (key === "strict_output" && profile !== "2026-08" && value === undefined) return null;
      return (
        <Checkbox
          label={label}
          help={error ?? meaningOf(key)}
          checked={value === true}
          onChange={(is) => void put(is ? true : undefined)}
        />
      );
    case "list":
      return (
        <ListField
          label={label}
          help={builtinFacts(String(hook.fields.command ?? ""))?.args || "This builtin takes none."}
          path={[...hook.path, key]}
          items={Array.isArray(value) ? value.map(String) : []}
          error={error}
        />
      );
    case "pairs":
      return (
        <PairsField
          label={label}
          help={meaningOf(key)}
          owner={hook.path}
          field={key}
          value={value}
          where={`${hook.where}.${key}`}
        />
      );
  }
}

const fits = (name: (typeof BUILTIN_NAMES)[number], event: string): boolean =>
  (builtinFacts(name)?.madeFor ?? []).some((one) => one === event);
const byFit = (event: string) => [...BUILTIN_NAMES].sort((a, b) => Number(fits(b, event)) - Number(fits(a, event)));

function scriptHelp(key: string, contract: EventContract | null): string {
  if (key === "prompt") return "A Go template over the call: {{ .ToolName }}, {{ toJSON .ToolInput }}.";
  const end = contract?.canBlock
    ? " Exit 2 stops it, and stderr is the reason the agent reads."
    : " Its answer stops nothing on this event.";
  return `Shell text. The call is on stdin as JSON.${end}`;
}
