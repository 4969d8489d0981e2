"use client";

import { builtinFacts } from "@quarterdeck/hooks/contract/builtins";
import type { EventContract } from "@quarterdeck/hooks/contract/events";
import { PROFILE_RULES } from "@quarterdeck/hooks/contract/profiles";
import { TopicLink } from "@/components/layout/help/topic-link";
import { setKey, unsetKey } from "@/components/policies/document/edits";
import type { HookNode } from "@/components/policies/document/tree";
import type { Value } from "@/components/policies/document/write";
import { EvaluatorField } from "@/components/policies/form/evaluator/evaluator-field";
import { RoutesField } from "@/components/policies/form/evaluator/routes-field";
import { VerdictsField } from "@/components/policies/form/evaluator/verdicts-field";
import { type FieldSpec, HOOK_ORDER, meaningOf } from "@/components/policies/form/fields";
import { problemAt, useForm, useProblems } from "@/components/policies/form/form-context";
import { ListField } from "@/components/policies/form/list-field";
import { PairsField } from "@/components/policies/form/pairs-field";
import { RulesField } from "@/components/policies/form/rules/rules-field";
import { TEXT_CONTROLS } from "@/components/policies/form/text-controls";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";

export interface HookFieldProps {
  hook: HookNode;
  spec: FieldSpec;
  event: string;
  contract: EventContract | null;
}

/** One field of a hook: its label, its control and its error. */
export function HookField({ hook, spec, event, contract }: HookFieldProps) {
  const { edit, profile } = useForm();
  const problems = useProblems();
  const { key, label, control } = spec;
  const value = hook.fields[key];
  const error = problemAt(problems, `${hook.where}.${key}`);
  const put = (next: Value | undefined, isTyping = false) =>
    void edit(
      (text) => (next === undefined ? unsetKey(text, hook.path, key) : setKey(text, hook.path, key, next, HOOK_ORDER)),
      isTyping,
    );
  if (control === "flag") {
    if (key === "strict_output" && !PROFILE_RULES[profile].strictOutput && value === undefined) return null;
    return (
      <Checkbox
        label={label}
        help={error ?? meaningOf(key)}
        checked={value === true}
        onChange={(is) => put(is ? true : undefined)}
      />
    );
  }
  if (control === "list") {
    const args = builtinFacts(String(hook.fields.command ?? ""))?.args;
    return (
      <ListField
        label={label}
        help={args || "This builtin has no arguments."}
        takesItems={args !== ""}
        path={[...hook.path, key]}
        items={Array.isArray(value) ? value.map(String) : []}
        error={error}
      />
    );
  }
  if (control === "evaluator") return <EvaluatorField hook={hook} label={label} />;
  if (control === "verdicts") return <VerdictsField hook={hook} label={label} />;
  if (control === "routes") return <RoutesField hook={hook} label={label} />;
  if (control === "rules") return <RulesField hook={hook} label={label} />;
  if (control === "pairs")
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
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  const { help, input } = TEXT_CONTROLS[control]({ key, text, event, contract, profile, put });
  return (
    <Field
      label={label}
      help={help}
      {...(error === undefined ? {} : { error })}
      {...(control === "failure" ? { aside: <TopicLink topic="failurePolicy" /> } : {})}
    >
      {input}
    </Field>
  );
}
