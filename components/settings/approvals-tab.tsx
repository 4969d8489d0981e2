"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { type UseFormReturn, useFieldArray } from "react-hook-form";
import { z } from "zod";
import { PermittedButton } from "@/components/access/permitted-button";
import { TopicLink } from "@/components/layout/help/topic-link";
import { Loaded } from "@/components/settings/loaded";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Form, FormChecks, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import {
  APPROVER_LISTS_MAX,
  type ApproverRulesView,
  approverRules,
  LIST_NAME_CHARS_MAX,
  TOOL_RISKS_MAX,
} from "@/server/approvals/approver-rules-schema";
import { RISK_CLASSES, riskClass } from "@/server/approvals/risk-class-schema";

/** The rules for who answers which calls, and what happens until a person answers. */
export function ApprovalsTab() {
  const trpc = useTRPC();
  const rules = useQuery(trpc.approvals.rules.queryOptions());
  return (
    <Loaded query={rules} what="The approval rules">
      {(view) => <RulesForm key={view.setAt?.getTime() ?? 0} view={view} onSaved={() => rules.refetch()} />}
    </Loaded>
  );
}

const NEVER = "never";
const classOrNever = z.union([riskClass, z.literal(NEVER)]).transform((value) => (value === NEVER ? null : value));
const wholeSeconds = z
  .string()
  .trim()
  .regex(/^\d{1,5}$/, "Enter a whole number of seconds.")
  .transform(Number);
const { shape } = approverRules;
const rulesForm = z.object({
  twoPeopleFrom: classOrNever,
  confirmFrom: classOrNever,
  remindAfterSeconds: z.union([
    z.literal("").transform(() => null),
    wholeSeconds.pipe(shape.remindAfterSeconds.unwrap()),
  ]),
  toolRisks: shape.toolRisks,
  lists: z.array(shape.lists.element.extend({ forSeconds: wholeSeconds.pipe(shape.lists.element.shape.forSeconds) })),
});
type Values = z.input<typeof rulesForm>;
type Rules = z.output<typeof rulesForm>;
type RulesFormState = UseFormReturn<Values, unknown, Rules>;

const CLASSES = RISK_CLASSES.map((value) => ({ value, label: value }));
const CLASSES_OR_NEVER = [
  { value: NEVER, label: "never" } as const,
  ...RISK_CLASSES.map((value) => ({ value, label: `${value} risk on` })),
];

function RulesForm({
  view: { rules, people, problem },
  onSaved,
}: {
  view: ApproverRulesView;
  onSaved: () => Promise<unknown>;
}) {
  const trpc = useTRPC();
  const form = useForm(rulesForm, {
    twoPeopleFrom: rules.twoPeopleFrom ?? NEVER,
    confirmFrom: rules.confirmFrom ?? NEVER,
    remindAfterSeconds: rules.remindAfterSeconds === null ? "" : String(rules.remindAfterSeconds),
    toolRisks: rules.toolRisks,
    lists: rules.lists.map((list) => ({ ...list, forSeconds: String(list.forSeconds) })),
  });
  const save = useMutation(trpc.approvals.setRules.mutationOptions());
  const submit = async (values: Rules) => {
    await save.mutateAsync(values);
    toast.success("Approval rules saved");
    await onSaved();
  };
  return (
    <Section title="Who answers calls" aside={<TopicLink topic="approvers" />} framed>
      <Form
        form={form}
        className="max-w-180"
        onSubmit={submit}
        foot={
          <PermittedButton
            to="policy:govern"
            type="submit"
            variant="primary"
            busy={form.formState.isSubmitting}
            className="self-start"
          >
            Save rules
          </PermittedButton>
        }
      >
        {problem === null ? null : (
          <Notice kind="danger">
            The stored rules cannot be read ({problem}), so every call that needs approval is denied. Enter the rules
            again and save.
          </Notice>
        )}
        <p className="text-muted">
          A call's risk is the higher of two: from the builtin safer_shell, and from the tool table below. If neither
          applies, the risk is medium.
        </p>
        <div className="grid gap-3 sm:grid-cols-2 sm:items-end">
          <FormField form={form} name="twoPeopleFrom" label="Require two approvers at this risk level and above">
            {(field) => <Select {...field} options={CLASSES_OR_NEVER} />}
          </FormField>
          <FormField
            form={form}
            name="confirmFrom"
            label="Ask the approver to confirm an approval from this risk level on"
          >
            {(field) => <Select {...field} options={CLASSES_OR_NEVER} />}
          </FormField>
          <FormField form={form} name="remindAfterSeconds" label="Reminder after (seconds)" help="Empty: no reminder.">
            {(field) => <Input {...field} inputMode="numeric" autoComplete="off" />}
          </FormField>
        </div>
        <ToolRisks form={form} />
        <Lists form={form} people={people} />
      </Form>
    </Section>
  );
}

function ToolRisks({ form }: { form: RulesFormState }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "toolRisks" });
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Risk by tool</legend>
      {fields.map(({ id }, at) => (
        <div key={id} className="flex flex-wrap items-end gap-2">
          <FormField form={form} name={`toolRisks.${at}.tool`} label="Tools">
            {(field) => <Input {...field} autoComplete="off" />}
          </FormField>
          <FormField form={form} name={`toolRisks.${at}.risk`} label="Risk">
            {(field) => <Select {...field} options={CLASSES} />}
          </FormField>
          <Button size="sm" onClick={() => remove(at)} aria-label={`Remove tool ${at + 1} from the table`}>
            Remove
          </Button>
        </div>
      ))}
      <PermittedButton
        to="policy:govern"
        size="sm"
        className="self-start"
        disabled={fields.length >= TOOL_RISKS_MAX}
        onClick={() => append({ tool: "", risk: "high" })}
      >
        Add tools
      </PermittedButton>
    </fieldset>
  );
}

function Lists({ form, people }: { form: RulesFormState; people: ApproverRulesView["people"] }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "lists" });
  const options = people.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 font-medium">Approver lists, in order</legend>
      <p className="text-muted text-sm">
        Without a list, all people who may answer are notified. When the last list's time runs out, the call is denied.
      </p>
      {fields.map(({ id }, at) => (
        <div key={id} className="flex flex-col gap-2 rounded-md border p-3">
          <div className="flex flex-wrap items-end gap-2">
            <FormField form={form} name={`lists.${at}.name`} label="List">
              {(field) => <Input {...field} maxLength={LIST_NAME_CHARS_MAX} autoComplete="off" />}
            </FormField>
            <FormField form={form} name={`lists.${at}.from`} label="From risk">
              {(field) => <Select {...field} options={CLASSES} />}
            </FormField>
            <FormField form={form} name={`lists.${at}.forSeconds`} label="For, seconds">
              {(field) => <Input {...field} inputMode="numeric" autoComplete="off" />}
            </FormField>
            <Button size="sm" onClick={() => remove(at)} aria-label={`Remove approver list ${at + 1}`}>
              Remove
            </Button>
          </div>
          <FormChecks form={form} name={`lists.${at}.people`} legend="People" options={options} />
        </div>
      ))}
      <PermittedButton
        to="policy:govern"
        size="sm"
        className="self-start"
        disabled={fields.length >= APPROVER_LISTS_MAX}
        onClick={() => append({ name: "", from: "low", people: [], forSeconds: "60" })}
      >
        Add a list
      </PermittedButton>
    </fieldset>
  );
}
