"use client";

import { useQuery } from "@tanstack/react-query";
import { type UseFormReturn, useWatch } from "react-hook-form";
import type { AlertDraft } from "@/components/alerts/alert-draft";
import { COMPARISON_WORDS, isChange, spanWords, unitWord } from "@/components/alerts/labels";
import { usePrincipals } from "@/components/principals/use-principals";
import { useTRPC } from "@/components/trpc/client";
import { everyAgent } from "@/components/trpc/every-page";
import { FormField } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { isCounted, MEASURE_NAMES, MEASURES, measureOf } from "@/server/alerts/measure-schema";
import { COMPARISONS, type SaveAlert, WINDOWS_MINUTES } from "@/server/alerts/schema";

interface ConditionFieldsProps {
  form: UseFormReturn<AlertDraft, unknown, SaveAlert>;
}

const MEASURE_OPTIONS = MEASURE_NAMES.map((value) => ({ value, label: MEASURES[value].label }));
const WINDOW_OPTIONS = WINDOWS_MINUTES.map((minutes) => ({ value: String(minutes), label: spanWords(minutes) }));
const ANY = "any";

/** The fields of a condition: the measure, whose it is, over how long, and when it is too much. */
export function ConditionFields({ form }: ConditionFieldsProps) {
  const [measure, comparison, signOnGroupId] = useWatch({
    control: form.control,
    name: ["measure", "comparison", "signOnGroupId"],
  });
  const trpc = useTRPC();
  const { filters, help, unit, source } = measureOf(measure);
  const agents = useQuery(everyAgent(trpc));
  const groups = useQuery(trpc.agents.groups.queryOptions());
  const people = usePrincipals();
  const signOnGroups = useQuery(trpc.policies.audienceChoices.queryOptions()).data?.signOnGroups ?? [];
  const isOver = !isCounted(source);
  const comparisons = COMPARISONS.filter((one) => isOver || !isChange(one));
  const word = unitWord(unit, comparison);
  return (
    <>
      <FormField form={form} name="measure" label="Measure" help={help}>
        {(field) => (
          <Select
            {...field}
            onChange={(next) => {
              field.onChange(next);
              form.setValue("comparison", "above");
            }}
            options={MEASURE_OPTIONS}
          />
        )}
      </FormField>
      {filters.length > 0 ? (
        <div className="grid items-start gap-4 sm:grid-cols-3">
          <Chosen {...{ form, name: "agentId", label: "Agent", rows: agents.data }} />
          <Chosen {...{ form, name: "groupId", label: "Group", rows: groups.data }} />
          {filters.includes("model") ? (
            <FormField form={form} name="modelId" label="Model" aside="optional">
              {(field) => <Input {...field} placeholder="openai/gpt-5" autoComplete="off" />}
            </FormField>
          ) : null}
          {filters.includes("person") ? (
            <Chosen
              {...{ form, name: "personId", label: "Person", rows: people.all.filter(({ isErased }) => !isErased) }}
              help="Calls made for this person or service."
            />
          ) : null}
          {filters.includes("signOnGroup") && (signOnGroups.length > 0 || signOnGroupId !== null) ? (
            <Chosen
              {...{ form, name: "signOnGroupId", label: "Sign-on group", rows: signOnGroups }}
              help="Calls made for its present members."
            />
          ) : null}
        </div>
      ) : null}
      <div className="grid items-start gap-4 sm:grid-cols-4">
        <FormField form={form} name="comparison" label="Fires when it">
          {(field) => (
            <Select {...field} options={comparisons.map((value) => ({ value, label: COMPARISON_WORDS[value] }))} />
          )}
        </FormField>
        <FormField form={form} name="threshold" label="Limit" aside={word}>
          {(field) => <Input {...field} inputMode="decimal" autoComplete="off" />}
        </FormField>
        <FormField
          form={form}
          name="windowMinutes"
          label={isChange(comparison) ? "Against the" : "Within"}
          aside={isChange(comparison) ? "before" : undefined}
        >
          {(field) => (
            <Select
              {...field}
              value={String(field.value)}
              onChange={(text) => field.onChange(Number(text))}
              options={WINDOW_OPTIONS}
            />
          )}
        </FormField>
        <FormField form={form} name="forMinutes" label="For at least" aside="minutes">
          {(field) => <Input {...field} inputMode="numeric" autoComplete="off" />}
        </FormField>
      </div>
    </>
  );
}

interface ChosenProps extends ConditionFieldsProps {
  name: "agentId" | "groupId" | "personId" | "signOnGroupId";
  label: string;
  help?: string;
  rows: readonly { readonly id: string; readonly name: string }[] | undefined;
}

/** One of the rows, or all of them. */
function Chosen({ form, name, label, help, rows = [] }: ChosenProps) {
  const options = [{ value: ANY, label: "all" }, ...rows.map(({ id, name }) => ({ value: id, label: name }))];
  return (
    <FormField form={form} name={name} label={label} {...(help !== undefined && { help })}>
      {(field) => (
        <Select
          {...field}
          value={field.value ?? ANY}
          onChange={(id) => field.onChange(id === ANY ? null : id)}
          options={options}
        />
      )}
    </FormField>
  );
}
