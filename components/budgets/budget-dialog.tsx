"use client";

import { skipToken, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { aboutOf, type BudgetForm, formOf, readForm } from "@/components/budgets/form";
import { bindingWords, bindsNobody, PERIOD_WORDS, SCOPE_WORDS, UNPRICED_WORDS } from "@/components/budgets/labels";
import { WorkspaceDays } from "@/components/layout/workspace-days";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { type About, type BudgetView, PERIODS, SCOPES, UNPRICED } from "@/server/budgets/schema";

interface BudgetDialogProps {
  editing: BudgetView | "new" | null;
  onClose: () => void;
  onSaved: () => void;
}

/** A budget, made or changed. Whose money it is and for how long stays. */
export function BudgetDialog({ editing, onClose, onSaved }: BudgetDialogProps) {
  const budget = editing === "new" ? null : editing;
  return (
    <Dialog
      open={editing !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={budget ? `Budget ${budget.name}` : "New budget"}
      description={
        budget ? "What is spent so far stays counted." : "What was recorded in its period counts from the start."
      }
    >
      {editing === null ? null : <Form budget={budget} onClose={onClose} onSaved={onSaved} />}
    </Dialog>
  );
}

function Form({ budget, onClose, onSaved }: Omit<BudgetDialogProps, "editing"> & { budget: BudgetView | null }) {
  const trpc = useTRPC();
  const [form, setForm] = useState(() => formOf(budget));
  const [isTried, setTried] = useState(false);
  const create = useMutation(trpc.budgets.create.mutationOptions());
  const change = useMutation(trpc.budgets.change.mutationOptions());
  const read = readForm(form);
  const wrong = isTried && "wrong" in read ? read.wrong : {};
  const failure = create.error ?? change.error;
  const put = (changed: Partial<BudgetForm>) => setForm({ ...form, ...changed });
  const done = () => {
    toast.success(`${form.name} is saved`);
    onSaved();
    onClose();
  };
  const submit = () => {
    setTried(true);
    if (!("input" in read)) return;
    const { about: _about, period: _period, ...settings } = read.input;
    if (budget) change.mutate({ ...settings, budgetId: budget.id, version: budget.version }, { onSuccess: done });
    else create.mutate(read.input, { onSuccess: done });
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label="Name" error={wrong.name}>
        <Input value={form.name} onChange={(event) => put({ name: event.target.value })} placeholder="team monthly" />
      </Field>
      {budget ? null : <Whose form={form} put={put} wrong={wrong.target} />}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label="Amount in dollars" error={wrong.amount}>
          <Input
            inputMode="decimal"
            value={form.amount}
            onChange={(event) => put({ amount: event.target.value })}
            placeholder="250"
          />
        </Field>
        <Field label="Warn at percent" aside="optional" error={wrong.thresholds}>
          <Input value={form.thresholds} onChange={(event) => put({ thresholds: event.target.value })} />
        </Field>
      </div>
      <Checkbox
        checked={form.isHard}
        onChange={(isHard) => put({ isHard, unpriced: isHard && form.unpriced === "pass" ? "count" : form.unpriced })}
        label="Block calls over the limit"
        help="Binds agents whose policy has the builtin budget_guard on before_llm_call."
      />
      {form.isHard ? <Binding about={aboutOf(form)} /> : null}
      <Field
        label="The most one call may cost, in dollars"
        aside={form.isHard || form.unpriced !== "pass" ? undefined : "optional"}
        error={wrong.reserve}
        help="Reserved before each call and given back when its cost is known. Never passed by calls that cost no more."
      >
        <Input
          inputMode="decimal"
          value={form.reserve}
          onChange={(event) => put({ reserve: event.target.value })}
          placeholder="0.20"
        />
      </Field>
      <Field label="Calls without a price" help={UNPRICED_WORDS[form.unpriced].says}>
        <Select
          value={form.unpriced}
          onChange={(unpriced) => put({ unpriced })}
          options={UNPRICED.map((value) => ({ value, label: UNPRICED_WORDS[value].label }))}
        />
      </Field>
      {failure ? <ErrorLine>{failureSentence(failure)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={create.isPending || change.isPending}>
          Save budget
        </Button>
      </div>
    </form>
  );
}

/** Whom it would bind as the policies stand now. */
function Binding({ about }: { about: About | null }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.budgets.binding.queryOptions(about ? { about } : skipToken));
  if (!data) return null;
  return <Notice kind={bindsNobody(data) ? "warning" : "info"}>{bindingWords(data)}</Notice>;
}

interface WhoseProps {
  form: BudgetForm;
  put: (changed: Partial<BudgetForm>) => void;
  wrong: string | undefined;
}

function Whose({ form, put, wrong }: WhoseProps) {
  const trpc = useTRPC();
  const targets = useQuery(trpc.budgets.targets.queryOptions());
  const { scope } = form;
  const named = scope === "agent" ? targets.data?.agents : scope === "group" ? targets.data?.groups : undefined;
  const options =
    scope === "model"
      ? targets.data?.models.map((value) => ({ value, label: value }))
      : named?.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <Field label="For">
        <Select
          value={scope}
          onChange={(next) => put({ scope: next, target: "", period: next === "session" ? "total" : form.period })}
          options={SCOPES.map((value) => ({ value, label: SCOPE_WORDS[value] }))}
        />
      </Field>
      <Field
        label="Each"
        help={scope === "session" ? "For as long as the session lasts." : <WorkspaceDays of="Days and months" />}
      >
        <Select
          value={scope === "session" ? "total" : form.period}
          onChange={(period) => put({ period })}
          disabled={scope === "session"}
          options={PERIODS.map((value) => ({ value, label: PERIOD_WORDS[value] }))}
        />
      </Field>
      {scope === "workspace" || scope === "session" ? null : (
        <Field
          label={{ agent: "Agent", group: "Group", model: "Model" }[scope]}
          error={wrong}
          help={options?.length === 0 ? "There is none yet." : undefined}
          className="sm:col-span-2"
        >
          <Select
            key={scope}
            value={form.target === "" ? undefined : form.target}
            onChange={(target) => put({ target })}
            options={options ?? []}
          />
        </Field>
      )}
    </div>
  );
}
