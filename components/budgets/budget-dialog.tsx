"use client";

import { skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type UseFormReturn, useFormState, useWatch } from "react-hook-form";
import { PermittedButton } from "@/components/access/permitted-button";
import { aboutOf, type BudgetForm, firstReserveWords, formOf, readForm, reserveOf } from "@/components/budgets/form";
import { bindingWords, bindsNobody, PERIOD_WORDS, SCOPE_WORDS, UNPRICED_WORDS } from "@/components/budgets/labels";
import { TopicLink } from "@/components/layout/help/topic-link";
import { WorkspaceDays } from "@/components/layout/workspace-days";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Form, FormCheckbox, FormField, useForm } from "@/components/ui/form";
import { readBy } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import {
  type BindingView,
  type BudgetView,
  type CreateBudget,
  PERIODS,
  SCOPES,
  UNPRICED,
} from "@/server/budgets/schema";

interface BudgetDialogProps {
  editing: BudgetView | "new" | null;
  onClose: () => void;
  onSaved: () => void;
}

/** Creates or changes a budget. Scope and period of an existing one are fixed. */
export function BudgetDialog({ editing, onClose, onSaved }: BudgetDialogProps) {
  const budget = editing === "new" ? null : editing;
  return (
    <Dialog
      open={editing !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={budget ? `Budget ${budget.name}` : "New budget"}
      description={budget ? "Spend recorded this period still counts." : "Includes spend since the period began."}
    >
      {editing === null ? null : <Fields budget={budget} onClose={onClose} onSaved={onSaved} />}
    </Dialog>
  );
}

const LOOKS = "grid grid-cols-1 gap-4 sm:grid-cols-2";

function Fields({ budget, onClose, onSaved }: Omit<BudgetDialogProps, "editing"> & { budget: BudgetView | null }) {
  const trpc = useTRPC();
  const form = useForm(readBy(readForm), formOf(budget));
  const [scope, target, isHard, rule] = useWatch({
    control: form.control,
    name: ["scope", "target", "isHard", "unpriced"],
  });
  const about = aboutOf({ scope, target });
  const isRequired = isHard || rule !== "pass";
  const binding = useQuery(trpc.budgets.binding.queryOptions(isRequired && about ? { about } : skipToken));
  const dearestNano = binding.data?.dearestNano;
  useFirstReserve(form, budget === null && isRequired ? dearestNano : undefined);
  const create = useMutation(trpc.budgets.create.mutationOptions());
  const change = useMutation(trpc.budgets.change.mutationOptions());
  const submit = async (input: CreateBudget) => {
    const { about: _about, period: _period, ...settings } = input;
    if (budget) await change.mutateAsync({ ...settings, budgetId: budget.id, version: budget.version });
    else await create.mutateAsync(input);
    toast.success(`${input.name} is saved`);
    onSaved();
    onClose();
  };
  return (
    <Form form={form} onSubmit={submit} action="Save budget" onCancel={onClose} pinsButtons>
      <FormField form={form} name="name" label="Name">
        {(field) => <Input {...field} placeholder="team monthly" />}
      </FormField>
      {budget ? null : <Whose form={form} />}
      <div className={LOOKS}>
        <FormField form={form} name="amount" label="Amount in dollars">
          {(field) => <Input {...field} inputMode="decimal" placeholder="250" />}
        </FormField>
        <FormField form={form} name="thresholds" label="Warn at percent" aside="optional">
          {(field) => <Input {...field} />}
        </FormField>
      </div>
      <FormCheckbox
        form={form}
        name="isHard"
        onToggle={(isOn) => (isOn && rule === "pass" ? form.setValue("unpriced", "count") : undefined)}
        label="Block calls over the limit"
        help="Applies to agents whose policy runs the builtin budget_guard on before_llm_call."
      />
      {isHard && binding.data ? <Binding binding={binding.data} /> : null}
      <p className="text-sm">
        <TopicLink topic="reservation" />
      </p>
      <FormField
        form={form}
        name="reserve"
        label="Maximum cost of one call, in dollars"
        aside={isRequired ? "required" : "optional"}
        help={`Reserved before each call and released when its cost is known.${isRequired && !budget ? ` ${firstReserveWords(dearestNano)}` : ""}`}
      >
        {(field) => <Input {...field} inputMode="decimal" />}
      </FormField>
      <FormField form={form} name="unpriced" label="Unpriced calls" help={UNPRICED_WORDS[rule].says}>
        {(field) => (
          <Select {...field} options={UNPRICED.map((value) => ({ value, label: UNPRICED_WORDS[value].label }))} />
        )}
      </FormField>
    </Form>
  );
}

/** Fills in the maximum cost of one call, until the reader has typed one. */
function useFirstReserve(
  form: UseFormReturn<BudgetForm, unknown, CreateBudget>,
  dearestNano: bigint | null | undefined,
) {
  const { dirtyFields } = useFormState({ control: form.control });
  const isTyped = dirtyFields.reserve === true;
  // The form library holds the values; the figure arrives after the form is drawn.
  useEffect(() => {
    if (dearestNano !== undefined && !isTyped) form.setValue("reserve", reserveOf(dearestNano));
  }, [form, dearestNano, isTyped]);
}

/** The agents that it would block with the policies in force. */
function Binding({ binding }: { binding: BindingView }) {
  const isUnguarded = bindsNobody(binding);
  return (
    <>
      <Notice kind={isUnguarded ? "warning" : "info"}>{bindingWords(binding)}</Notice>
      {isUnguarded && binding.unbound.count > 0 ? <AddGuard /> : null}
    </>
  );
}

const GUARD_PACK = "budget-guard";

/** Creates a draft with `budget_guard`, without leaving the form. */
function AddGuard() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const install = useMutation(
    trpc.packs.install.mutationOptions({
      onSuccess: () => {
        void queries.invalidateQueries({ queryKey: trpc.packs.pathKey() });
        void queries.invalidateQueries({ queryKey: trpc.policies.pathKey() });
      },
    }),
  );
  if (install.data)
    return (
      <p role="status" className="text-sm">
        A draft policy with budget_guard exists.{" "}
        <Link className="link" href={`/policies/${install.data.policyId}`} target="_blank">
          Publish the draft
        </Link>{" "}
        to block calls over the limit.
      </p>
    );
  return (
    <div className="flex flex-col items-start gap-2">
      <PermittedButton
        to="policy:write"
        size="sm"
        busy={install.isPending}
        onClick={() => install.mutate({ packId: GUARD_PACK })}
      >
        Create a budget_guard policy
      </PermittedButton>
      {install.error ? <ErrorLine>{failureSentence(install.error)}</ErrorLine> : null}
    </div>
  );
}

function Whose({ form }: { form: UseFormReturn<BudgetForm, unknown, CreateBudget> }) {
  const trpc = useTRPC();
  const targets = useQuery(trpc.budgets.targets.queryOptions());
  const scope = useWatch({ control: form.control, name: "scope" });
  const named = scope === "agent" ? targets.data?.agents : scope === "group" ? targets.data?.groups : undefined;
  const options =
    scope === "model"
      ? targets.data?.models.map((value) => ({ value, label: value }))
      : named?.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className={LOOKS}>
      <FormField form={form} name="scope" label="For">
        {(field) => (
          <Select
            {...field}
            onChange={(next) => {
              field.onChange(next);
              form.setValue("target", "");
              if (next === "session") form.setValue("period", "total");
            }}
            options={SCOPES.map((value) => ({ value, label: SCOPE_WORDS[value] }))}
          />
        )}
      </FormField>
      <FormField
        form={form}
        name="period"
        label="Each"
        help={scope === "session" ? "For the whole session." : <WorkspaceDays of="Days and months" />}
      >
        {(field) => (
          <Select
            {...field}
            disabled={scope === "session"}
            options={PERIODS.map((value) => ({ value, label: PERIOD_WORDS[value] }))}
          />
        )}
      </FormField>
      {scope === "workspace" || scope === "session" ? null : (
        <FormField
          form={form}
          name="target"
          label={{ agent: "Agent", group: "Group", model: "Model" }[scope]}
          help={options?.length === 0 ? "None yet." : undefined}
          className="sm:col-span-2"
        >
          {(field) => <Select {...field} key={scope} value={field.value || undefined} options={options ?? []} />}
        </FormField>
      )}
    </div>
  );
}
