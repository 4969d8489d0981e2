"use client";

import { useQuery } from "@tanstack/react-query";
import type { UseFormReturn } from "react-hook-form";
import type { BudgetForm, SavedForm } from "@/components/budgets/form";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { FormField } from "@/components/ui/form";
import { SearchList, type SearchListOption } from "@/components/ui/search-list";
import { type Scope, scope as scopeSchema, type TargetsView } from "@/server/budgets/schema";

export type BudgetFormState = UseFormReturn<BudgetForm, unknown, SavedForm>;

interface Target {
  readonly scope: Scope;
  readonly id: string;
  readonly name: string;
}

const KINDS: Record<Scope, string> = {
  workspace: "Everything",
  session: "Everything",
  group: "Groups",
  agent: "Agents",
  person: "People and services",
  sign_on_group: "Groups of the sign-on provider",
  model: "Models",
};

function targetsOf(found: TargetsView | undefined): readonly Target[] {
  return [
    { scope: "workspace", id: "", name: "The whole workspace" },
    { scope: "session", id: "", name: "Each session" },
    ...(found?.groups ?? []).map(({ id, name }) => ({ scope: "group" as const, id, name })),
    ...(found?.agents ?? []).map(({ id, name }) => ({ scope: "agent" as const, id, name })),
    ...(found?.people ?? []).map(({ id, name }) => ({ scope: "person" as const, id, name })),
    ...(found?.signOnGroups ?? []).map(({ id, name }) => ({ scope: "sign_on_group" as const, id, name })),
    ...(found?.models ?? []).map((name) => ({ scope: "model" as const, id: name, name })),
  ];
}

// The list trims its values, so a space may not end one.
const keyOf = ({ scope, id }: Pick<Target, "scope" | "id">): string => `${scope}:${id}`;
const optionOf = (target: Target): SearchListOption => ({
  value: keyOf(target),
  label: target.name,
  kind: KINDS[target.scope],
});

/** The name of the target in the form; empty for the workspace and for sessions. */
export function useTargetName(scope: Scope, target: string): string {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.budgets.targets.queryOptions());
  if (target === "") return "";
  return targetsOf(data).find((one) => one.scope === scope && one.id === target)?.name ?? "";
}

interface TargetFieldProps {
  form: BudgetFormState;
  onChosen: (target: Target) => void;
}

/** The agents, the people, the sessions or the model that a new budget limits: one list with a search. */
export function TargetField({ form, onChosen }: TargetFieldProps) {
  const trpc = useTRPC();
  const found = useQuery(trpc.budgets.targets.queryOptions());
  const targets = targetsOf(found.data);
  const scope = form.watch("scope");
  return (
    <FormField form={form} name="target" label="For">
      {({ value, onChange, ...field }) => (
        <>
          {found.isError ? (
            <ErrorLine>The agents, people and models could not be loaded. {failureSentence(found.error)}</ErrorLine>
          ) : null}
          <SearchList
            {...field}
            value={keyOf({ scope, id: value })}
            onChange={(chosen) => {
              const target = targets.find((one) => keyOf(one) === chosen);
              if (!target) return;
              form.setValue("scope", scopeSchema.parse(target.scope));
              onChange(target.id);
              onChosen(target);
            }}
            options={targets.map(optionOf)}
            label="For"
            placeholder="Agent, group, person or model"
            empty="No group, agent, person or model has this name."
          />
        </>
      )}
    </FormField>
  );
}
