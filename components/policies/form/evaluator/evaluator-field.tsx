"use client";

import { Plus } from "lucide-react";
import { useId } from "react";
import { setKey, unsetKey } from "@/components/policies/document/edits";
import { setNested } from "@/components/policies/document/set-nested";
import type { HookNode } from "@/components/policies/document/tree";
import { DefinitionFields } from "@/components/policies/form/evaluator/definition-fields";
import {
  definitionOf,
  NEW_EVALUATOR,
  SECTION_ORDER,
  textOf,
} from "@/components/policies/form/evaluator/evaluator-text";
import { HOOK_ORDER } from "@/components/policies/form/fields";
import { problemAt, useForm, useProblems } from "@/components/policies/form/form-context";
import { TypedText } from "@/components/policies/form/typed-text";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";

/** The evaluator that a hook asks, and its definition, which every hook of the policy that names it shares. */
export function EvaluatorField({ hook, label }: { hook: HookNode; label: string }) {
  const { edit, sections } = useForm();
  const problems = useProblems();
  const list = useId();
  const name = textOf(hook.fields.evaluator);
  const { evaluators } = sections;
  const definition = definitionOf(evaluators, name);
  const error = problemAt(problems, `${hook.where}.evaluator`);
  const put = (next: string) =>
    void edit(
      (text) =>
        next === "" ? unsetKey(text, hook.path, "evaluator") : setKey(text, hook.path, "evaluator", next, HOOK_ORDER),
      true,
    );
  const define = () =>
    void edit((text) => setNested(text, [], { evaluators }, ["evaluators", name], NEW_EVALUATOR, SECTION_ORDER));
  return (
    <>
      <Field
        label={label}
        help="Name of an evaluator: a question with fixed answers, sent to a TypeSafe connection."
        {...(error === undefined ? {} : { error })}
      >
        <TypedText mono list={list} placeholder="risk" value={name} onText={put} />
      </Field>
      <datalist id={list}>
        {Object.keys(evaluators).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      {definition ? <DefinitionFields name={name} definition={definition} /> : null}
      {definition || name.trim() === "" ? null : (
        <div>
          <Button size="sm" onClick={define}>
            <Plus aria-hidden /> Define {name}
          </Button>
        </div>
      )}
    </>
  );
}
