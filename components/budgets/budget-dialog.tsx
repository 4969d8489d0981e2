"use client";

import { skipToken, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useWatch } from "react-hook-form";
import { usePermission } from "@/components/access/permission";
import { BlockingFields } from "@/components/budgets/blocking-fields";
import {
  aboutOf,
  firstName,
  firstReserveWords,
  formOf,
  guardPolicy,
  readForm,
  reserveOf,
  type SavedForm,
} from "@/components/budgets/form";
import { PERIOD_WORDS, UNPRICED_WORDS, unpricedWords } from "@/components/budgets/labels";
import { type BudgetFormState, TargetField, useTargetName } from "@/components/budgets/target-field";
import { TopicLink } from "@/components/layout/help/topic-link";
import { usePutInForce } from "@/components/layout/put-in-force/use-put-in-force";
import { WorkspaceDays } from "@/components/layout/workspace-days";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { readBy } from "@/components/ui/form-texts";
import { nanoOf } from "@/components/ui/format/dollars";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { type About, type BudgetView, PERIODS, type TargetsView, UNPRICED } from "@/server/budgets/schema";

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
      description={
        budget
          ? "Spend already recorded in this period still counts against the budget."
          : "Spend since the period began counts against the new budget."
      }
    >
      {editing === null ? null : <Fields budget={budget} onClose={onClose} onSaved={onSaved} />}
    </Dialog>
  );
}

const LOOKS = "grid grid-cols-1 gap-4 sm:grid-cols-2";

function Fields({ budget, onClose, onSaved }: Omit<BudgetDialogProps, "editing"> & { budget: BudgetView | null }) {
  const trpc = useTRPC();
  const form = useForm(readBy(readForm), formOf(budget), "onChange");
  const [scope, target, isHard, rule, reserve] = useWatch({
    control: form.control,
    name: ["scope", "target", "isHard", "unpriced", "reserve"],
  });
  const about = aboutOf({ scope, target });
  const isRequired = isHard || rule !== "pass";
  const binding = useQuery(trpc.budgets.binding.queryOptions(isRequired && about ? { about } : skipToken));
  const dearestNano = binding.data?.dearestNano;
  const isFilled = budget === null && isRequired && dearestNano !== undefined;
  useFirstText(form, "reserve", isFilled ? reserveOf(dearestNano) : undefined);
  const save = useSave(budget);
  const submit = async (saved: SavedForm) => {
    await save(saved, (binding.data?.unbound.count ?? 0) > 0);
    onSaved();
    onClose();
  };
  return (
    <Form form={form} onSubmit={submit} action="Save budget" onCancel={onClose} pinsButtons>
      {budget ? null : <Whose form={form} />}
      <div className={LOOKS}>
        <FormField form={form} name="amount" label="Amount in dollars">
          {({ onChange, ...field }) => (
            <Input
              {...field}
              onChange={(event) => {
                onChange(event);
                void form.trigger("reserve");
              }}
              inputMode="decimal"
              placeholder="20"
            />
          )}
        </FormField>
        {budget ? null : <PeriodField form={form} />}
      </div>
      <BlockingFields form={form} binding={binding.data} />
      <FormField
        form={form}
        name="reserve"
        label="Maximum cost of one call, in dollars"
        aside={isRequired ? "required" : "optional"}
        help={
          <>
            Reserved before each call and released when its cost is known.
            {isRequired && !budget ? ` ${firstReserveWords(dearestNano)}` : ""} <TopicLink topic="reservation" />
          </>
        }
      >
        {(field) => <Input {...field} inputMode="decimal" />}
      </FormField>
      <FormField form={form} name="unpriced" label="Unpriced calls" help={unpricedWords(rule, nanoOf(reserve))}>
        {(field) => (
          <Select {...field} options={UNPRICED.map((value) => ({ value, label: UNPRICED_WORDS[value].label }))} />
        )}
      </FormField>
      <div className={LOOKS}>
        <FormField form={form} name="name" label="Name">
          {(field) => <Input {...field} placeholder="team daily" />}
        </FormField>
        <FormField form={form} name="thresholds" label="Warn at percent" aside="optional">
          {(field) => <Input {...field} />}
        </FormField>
      </div>
    </Form>
  );
}

/** Saves the budget, and puts `budget_guard` in force where the form asks for it and an agent lacks it. */
function useSave(budget: BudgetView | null) {
  const trpc = useTRPC();
  const create = useMutation(trpc.budgets.create.mutationOptions());
  const change = useMutation(trpc.budgets.change.mutationOptions());
  const { putInForce } = usePutInForce();
  const mayPublish = usePermission("policy:publish").isGranted;
  const targets = useQuery(trpc.budgets.targets.queryOptions());
  return async ({ budget: input, addsGuard }: SavedForm, isUnguarded: boolean) => {
    const { about, period: _period, ...settings } = input;
    if (budget) await change.mutateAsync({ ...settings, budgetId: budget.id, version: budget.version });
    else await create.mutateAsync(input);
    if (!addsGuard || !isUnguarded || !mayPublish) {
      toast.success(`${input.name} is saved`);
      return;
    }
    const guard = guardPolicy(about, guardedName(about, targets.data));
    // The budget is saved by then: the failure of the guard must not hold the dialog open, where Save would repeat it.
    await putInForce({ ...guard, isPublished: true }).then(
      () =>
        toast.success(`${input.name} is saved`, {
          description: "A policy with budget_guard is now in force, so it blocks calls over the budget.",
        }),
      (error: unknown) =>
        toast.error(`${input.name} is saved, without budget_guard`, { description: failureSentence(error) }),
    );
  };
}

/** The name of the guarded group or agent; "" for a person, whose name belongs in no name of a policy. */
function guardedName(about: About, targets: TargetsView | undefined): string {
  const nameIn = (rows: readonly { readonly id: string; readonly name: string }[] | undefined, id: string) =>
    rows?.find((one) => one.id === id)?.name ?? "";
  if (about.scope === "group") return nameIn(targets?.groups, about.groupId);
  if (about.scope === "agent") return nameIn(targets?.agents, about.agentId);
  return about.scope === "sign_on_group" ? nameIn(targets?.signOnGroups, about.signOnGroupId) : "";
}

/** Fills in a text, until the reader has typed another one. Undefined: not known yet. */
function useFirstText(form: BudgetFormState, name: "name" | "reserve", text: string | undefined) {
  const filled = useRef(form.getValues(name));
  // The form library holds the values; the text arrives after the form is drawn, and changes with other fields.
  useEffect(() => {
    if (text === undefined || form.getValues(name) !== filled.current) return;
    filled.current = text;
    form.setValue(name, text);
  }, [form, name, text]);
}

/** The target; the name follows it until the reader has typed one. */
function Whose({ form }: { form: BudgetFormState }) {
  const [scope, target, period] = useWatch({ control: form.control, name: ["scope", "target", "period"] });
  const targetName = useTargetName(scope, target);
  useFirstText(form, "name", firstName(scope, targetName, period));
  return (
    <TargetField
      form={form}
      onChosen={(next) => {
        if (next.scope === "session") form.setValue("period", "total");
        else if (scope === "session") form.setValue("period", "day");
      }}
    />
  );
}

function PeriodField({ form }: { form: BudgetFormState }) {
  const isSession = useWatch({ control: form.control, name: "scope" }) === "session";
  return (
    <FormField
      form={form}
      name="period"
      label="Each"
      help={
        isSession ? "Each session has this budget, from its start to its end." : <WorkspaceDays of="Days and months" />
      }
    >
      {(field) => (
        <Select
          {...field}
          disabled={isSession}
          options={PERIODS.map((value) => ({ value, label: PERIOD_WORDS[value] }))}
        />
      )}
    </FormField>
  );
}
