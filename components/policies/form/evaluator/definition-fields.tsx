"use client";

import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { setKey, unsetKey } from "@/components/policies/document/edits";
import type { Fields } from "@/components/policies/document/intent";
import type { Value } from "@/components/policies/document/write";
import { DEFINITION_ORDER, numberOf, textOf } from "@/components/policies/form/evaluator/evaluator-text";
import { problemAt, useForm } from "@/components/policies/form/form-context";
import { PairsField } from "@/components/policies/form/pairs-field";
import { TypedText } from "@/components/policies/form/typed-text";
import { useTRPC } from "@/components/trpc/client";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { EVALUATOR_PROVIDER } from "@/server/judges/schema";

const TYPES = [
  { value: "boolean", label: "yes or no" },
  { value: "choice", label: "one of several choices" },
];
const CHOICE_WORDS = { one: "choice", prefix: "choice_" };

/** The definition of one evaluator, below `evaluators:` of the text. */
export function DefinitionFields({ name, definition }: { name: string; definition: Fields }) {
  const { edit, sections } = useForm();
  const where = `evaluators.${name}`;
  const errorOf = (key: string) => problemAt(sections.problems, `${where}.${key}`);
  const put = (key: string, next: Value, isTyping = true) =>
    void edit(
      (text) =>
        next === ""
          ? unsetKey(text, ["evaluators", name], key)
          : setKey(text, ["evaluators", name], key, next, DEFINITION_ORDER),
      isTyping,
    );
  const fieldOf = (key: string) => {
    const error = errorOf(key);
    return error === undefined ? {} : { error };
  };
  const own = problemAt(sections.problems, where);
  return (
    <fieldset className="flex flex-col gap-3 border-line border-l pl-3">
      <legend className="mb-1 font-medium text-sm">Definition of {name}</legend>
      {own === undefined ? null : <ErrorLine>{own}</ErrorLine>}
      <ProviderFields definition={definition} put={put} fieldOf={fieldOf} />
      <Field label="Answer" {...fieldOf("type")}>
        <Select value={textOf(definition.type)} onChange={(next) => put("type", next, false)} options={TYPES} />
      </Field>
      <Field
        label="Instructions"
        help="The question that the evaluator answers: about the tool call or, on an agent event, about the task."
        {...fieldOf("instructions")}
      >
        <TypedText
          lines
          value={textOf(definition.instructions)}
          onText={(next) => put("instructions", next)}
          placeholder="Can this call destroy data without a backup?"
        />
      </Field>
      {definition.type === "choice" ? (
        <PairsField
          label="Choices"
          help="At least two choices, each with its meaning."
          owner={["evaluators", name]}
          field="choices"
          value={definition.choices}
          where={`${where}.choices`}
          words={CHOICE_WORDS}
        />
      ) : null}
      <Field label="Time limit of the evaluator, seconds" help="Default: 10." {...fieldOf("timeout")}>
        <TypedText
          inputMode="decimal"
          placeholder="10"
          value={textOf(definition.timeout)}
          onText={(next) => put("timeout", numberOf(next))}
        />
      </Field>
    </fieldset>
  );
}

interface ProviderFieldsProps {
  definition: Fields;
  put: (key: string, next: Value) => void;
  fieldOf: (key: string) => { error?: string };
}

/** The connection and its model, with suggestions from the workspace's connections. */
function ProviderFields({ definition, put, fieldOf }: ProviderFieldsProps) {
  const trpc = useTRPC();
  const [connections, models] = [useId(), useId()];
  const { data = [] } = useQuery({ ...trpc.judges.connections.queryOptions(), staleTime: 60_000 });
  const known = data.filter(({ provider }) => provider === EVALUATOR_PROVIDER);
  const chosen = textOf(definition.provider);
  const priced = known.filter(({ name }) => name === chosen || chosen === EVALUATOR_PROVIDER);
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label="Connection" help="typesafe, or a connection name." {...fieldOf("provider")}>
        <TypedText mono list={connections} value={chosen} onText={(next) => put("provider", next)} />
      </Field>
      <Field label="Model" {...fieldOf("model")}>
        <TypedText
          mono
          list={models}
          placeholder="jev-latest"
          value={textOf(definition.model)}
          onText={(next) => put("model", next)}
        />
      </Field>
      <datalist id={connections}>
        {[EVALUATOR_PROVIDER, ...known.map(({ name }) => name)].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <datalist id={models}>
        {priced
          .flatMap(({ prices }) => prices)
          .map(({ model }) => (
            <option key={model} value={model} />
          ))}
      </datalist>
    </div>
  );
}
