"use client";

import { useId } from "react";
import { unsetKey } from "@/components/policies/document/edits";
import { isFields } from "@/components/policies/document/intent";
import { setNested } from "@/components/policies/document/set-nested";
import type { HookNode } from "@/components/policies/document/tree";
import type { Value } from "@/components/policies/document/write";
import { definitionOf, outcomesOf, SECTION_ORDER, textOf } from "@/components/policies/form/evaluator/evaluator-text";
import { ThresholdField } from "@/components/policies/form/evaluator/threshold-field";
import { HOOK_ORDER } from "@/components/policies/form/fields";
import { problemAt, useForm, useProblems } from "@/components/policies/form/form-context";
import { TypedText } from "@/components/policies/form/typed-text";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";

/** The agent for each choice of an evaluator, and the agent for an answer that chooses none. */
export function RoutesField({ hook, label }: { hook: HookNode; label: string }) {
  const { edit, sections } = useForm();
  const problems = useProblems();
  const id = useId();
  const { evaluator, routing_policy } = hook.fields;
  const policy = isFields(routing_policy) ? routing_policy : {};
  const routes = isFields(policy.routes) ? policy.routes : {};
  const definition = definitionOf(sections.evaluators, textOf(evaluator));
  const choices = definition?.type === "choice" ? outcomesOf(definition, routes) : Object.keys(routes);
  const error = problemAt(problems, `${hook.where}.routing_policy`);
  const set = (keys: readonly [string, ...string[]], value: Value) =>
    void edit((text) => setNested(text, hook.path, hook.fields, ["routing_policy", ...keys], value, HOOK_ORDER), true);
  const routeTo = (choice: string, agent: string) => {
    if (agent !== "") set(["routes", choice], agent);
    else void edit((text) => unsetKey(text, [...hook.path, "routing_policy", "routes"], choice));
  };
  const setDefault = (agent: string) =>
    void edit(
      (text) =>
        agent === ""
          ? unsetKey(text, ["routing"], "default_agent")
          : setNested(text, [], { routing: sections.routing }, ["routing", "default_agent"], agent, SECTION_ORDER),
      true,
    );
  const wrongDefault = problemAt(sections.problems, "routing.default_agent") ?? problemAt(sections.problems, "routing");
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={id}>
      <legend className="mb-1 font-medium text-sm">{label}</legend>
      {choices.length === 0 ? <p className="text-muted">Routes need an evaluator with choices.</p> : null}
      <div className="grid gap-3 sm:grid-cols-2">
        {choices.map((choice) => (
          <Field key={choice} label={`Agent for ${choice}`}>
            <TypedText mono value={textOf(routes[choice])} onText={(next) => routeTo(choice, next)} />
          </Field>
        ))}
        <ThresholdField value={policy.min_probability} onValue={(next) => set(["min_probability"], next)} />
        <Field
          label="Default agent"
          help="All evaluators of this policy share this default agent."
          {...(wrongDefault === undefined ? {} : { error: wrongDefault })}
        >
          <TypedText mono value={textOf(sections.routing.default_agent)} onText={setDefault} />
        </Field>
      </div>
      {error === undefined ? null : <ErrorLine>{error}</ErrorLine>}
      <p id={id} className="text-faint text-sm">
        The default agent gets the task if no choice reaches the threshold or the evaluator fails.
      </p>
    </fieldset>
  );
}
