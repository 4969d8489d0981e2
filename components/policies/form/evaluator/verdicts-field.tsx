"use client";

import { useId } from "react";
import { unsetKey } from "@/components/policies/document/edits";
import { isFields } from "@/components/policies/document/intent";
import { setNested } from "@/components/policies/document/set-nested";
import type { HookNode } from "@/components/policies/document/tree";
import type { Value } from "@/components/policies/document/write";
import { definitionOf, outcomesOf, textOf } from "@/components/policies/form/evaluator/evaluator-text";
import { ThresholdField } from "@/components/policies/form/evaluator/threshold-field";
import { HOOK_ORDER } from "@/components/policies/form/fields";
import { problemAt, useForm, useProblems } from "@/components/policies/form/form-context";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

const FALLBACK = "fallback";
const VERDICTS = ["allow", "ask", "deny"].map((value) => ({ value, label: value }));
const FALLBACKS = VERDICTS.filter(({ value }) => value !== "allow");
/** The rest of a policy whose first verdict is chosen. */
const NEW_POLICY = { min_probability: 0.8, fallback: "ask" } as const;

/** The verdict for each outcome of an evaluator, and for an answer that is not certain enough. */
export function VerdictsField({ hook, label }: { hook: HookNode; label: string }) {
  const { edit, sections } = useForm();
  const problems = useProblems();
  const id = useId();
  const { evaluator, evaluator_policy } = hook.fields;
  const policy = isFields(evaluator_policy) ? evaluator_policy : {};
  const decisions = isFields(policy.decisions) ? policy.decisions : {};
  const definition = definitionOf(sections.evaluators, textOf(evaluator));
  const outcomes = outcomesOf(definition, decisions);
  const error = problemAt(problems, `${hook.where}.evaluator_policy`);
  const set = (keys: readonly [string, ...string[]], value: Value, isTyping = false) =>
    void edit(
      (text) =>
        isFields(evaluator_policy)
          ? setNested(text, hook.path, hook.fields, ["evaluator_policy", ...keys], value, HOOK_ORDER)
          : setNested(text, hook.path, hook.fields, ["evaluator_policy"], policyWith(keys, value), HOOK_ORDER),
      isTyping,
    );
  const decide = (outcome: string, verdict: string) => {
    if (verdict !== FALLBACK) set(["decisions", outcome], verdict);
    else void edit((text) => unsetKey(text, [...hook.path, "evaluator_policy", "decisions"], outcome));
  };
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={id}>
      <legend className="mb-1 font-medium text-sm">{label}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {outcomes.map((outcome) => (
          <Field key={outcome} label={outcomeLabel(outcome)}>
            <Select
              value={textOf(decisions[outcome]) || FALLBACK}
              onChange={(next) => decide(outcome, next)}
              options={[...VERDICTS, { value: FALLBACK, label: "the fallback" }]}
            />
          </Field>
        ))}
        <ThresholdField value={policy.min_probability} onValue={(next) => set(["min_probability"], next, true)} />
        <Field label="Fallback">
          <Select
            value={textOf(policy.fallback) || undefined}
            onChange={(next) => set(["fallback"], next)}
            options={FALLBACKS}
          />
        </Field>
      </div>
      {error === undefined ? null : <ErrorLine>{error}</ErrorLine>}
      <p id={id} className="text-faint text-sm">
        The fallback applies to other answers and answers below the threshold. If the evaluator fails, the call is
        denied.
      </p>
    </fieldset>
  );
}

const policyWith = ([key, inner]: readonly [string, ...string[]], value: Value) =>
  inner === undefined ? { ...NEW_POLICY, [key]: value } : { [key]: { [inner]: value }, ...NEW_POLICY };

const BOOLEAN: Readonly<Record<string, string>> = { true: "Yes (true)", false: "No (false)" };
const outcomeLabel = (outcome: string): string =>
  Object.hasOwn(BOOLEAN, outcome) ? (BOOLEAN[outcome] ?? "") : outcome;
