"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { type UseFormReturn, useFieldArray, useWatch } from "react-hook-form";
import type { CaseDraft } from "@/components/policies/playground/case-draft";
import { ANY, type CaseFormValues, caseFormOf, readCase } from "@/components/policies/playground/case-form";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormCheckbox, FormField, useForm } from "@/components/ui/form";
import { readBy } from "@/components/ui/form-texts";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import type { PolicyCase } from "@/server/playground/schema";

export interface CaseDialogProps {
  policyId: string;
  draft: CaseDraft | null;
  onClose: () => void;
}

/** A test case: the input, the judges' answers and the expected result. */
export function CaseDialog({ policyId, draft, onClose }: CaseDialogProps) {
  return (
    <Dialog
      open={draft !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      size="lg"
      title={draft?.caseId === undefined ? "Save as test case" : "Edit test case"}
    >
      {draft ? <Editing policyId={policyId} draft={draft} onClose={onClose} /> : null}
    </Dialog>
  );
}

const VERDICTS = [
  { value: ANY, label: "any" },
  { value: "deny", label: "denied" },
  { value: "ask", label: "ask a person" },
  { value: "allow", label: "allowed" },
  { value: "none", label: "no decision" },
] as const;
const SAID = [
  "not_run",
  "deny",
  "block",
  "ask",
  "allow",
  "route",
  "rewrite",
  "summary",
  "context",
  "metadata",
  "message",
  "failed",
  "nothing",
];
const ALLOWED = [
  { value: ANY, label: "any" },
  { value: "yes", label: "yes" },
  { value: "no", label: "no" },
] as const;
const REWRITTEN = [
  { value: ANY, label: "rewritten or not" },
  { value: "not", label: "not rewritten" },
  { value: "to", label: "rewritten to" },
] as const;

type CaseForm = UseFormReturn<CaseFormValues, unknown, PolicyCase>;

function Editing({ policyId, draft, onClose }: { policyId: string; draft: CaseDraft; onClose: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm(
    readBy((values: CaseFormValues) => readCase(draft.one, values)),
    caseFormOf(draft.one),
  );
  const save = useMutation(trpc.playground.saveCase.mutationOptions());
  const submit = async (one: PolicyCase) => {
    await save.mutateAsync({ ...one, policyId, ...(draft.caseId === undefined ? {} : { caseId: draft.caseId }) });
    await queries.invalidateQueries({ queryKey: trpc.playground.cases.queryKey({ policyId }) });
    toast.success(`The test case "${one.name}" is saved`);
    onClose();
  };
  return (
    <Form form={form} onSubmit={submit} action="Save test case" onCancel={onClose}>
      <FormField form={form} name="name" label="Name" help="For example: deletes of the build folder are denied.">
        {(field) => <Input {...field} maxLength={120} />}
      </FormField>
      <Section title="Expected" aside="all must be met">
        <Expected form={form} />
        <ExpectedOfHooks form={form} />
      </Section>
      <Section title="Judges" aside="use these replies instead of the model">
        <JudgeReplies form={form} />
      </Section>
      <FormField form={form} name="input" label={`Input of ${draft.one.event}`}>
        {(field) => <Textarea {...field} mono rows={6} spellCheck={false} />}
      </FormField>
      <FormCheckbox
        form={form}
        name="keepsSecrets"
        label="Keep likely secrets"
        help="Select this option only if the secrets are fake. If off, Quarterdeck masks secrets before it stores the case."
      />
      <FormCheckbox form={form} name="runsAgentHooks" label="Also run agent-side hooks, in the server's sandbox" />
    </Form>
  );
}

function Expected({ form }: { form: CaseForm }) {
  const rewritten = useWatch({ control: form.control, name: "rewritten" });
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <FormField form={form} name="verdict" label="Verdict">
          {(field) => <Select {...field} options={VERDICTS} />}
        </FormField>
        <FormField form={form} name="allowed" label="Result">
          {(field) => <Select {...field} options={ALLOWED} />}
        </FormField>
        <FormField form={form} name="message" label="Message contains" aside="optional">
          {(field) => <Input {...field} />}
        </FormField>
        <FormField form={form} name="context" label="Context contains" aside="optional">
          {(field) => <Input {...field} />}
        </FormField>
      </div>
      <FormField form={form} name="rewritten" label="Payload">
        {(field) => <Select {...field} options={REWRITTEN} />}
      </FormField>
      {rewritten === "to" ? (
        <FormField form={form} name="rewrittenTo" label="Rewritten payload">
          {(field) => <Textarea {...field} mono rows={3} />}
        </FormField>
      ) : null}
    </>
  );
}

function ExpectedOfHooks({ form }: { form: CaseForm }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "hooks" });
  const hooks = useWatch({ control: form.control, name: "hooks" });
  return (
    <>
      {fields.map(({ id }, at) => (
        <div key={id} className="flex items-end gap-2">
          <FormField form={form} name={`hooks.${at}.name`} label="Hook" className="min-w-0 flex-1">
            {(field) => <Input {...field} />}
          </FormField>
          <FormField form={form} name={`hooks.${at}.said`} label="does">
            {(field) => (
              <Select {...field} options={SAID.map((value) => ({ value, label: value.replaceAll("_", " ") }))} />
            )}
          </FormField>
          <IconButton
            icon={Trash2}
            label={`Remove the expectation for ${hooks[at]?.name}`}
            onClick={() => remove(at)}
          />
        </div>
      ))}
      <Button className="self-start" onClick={() => append({ name: `hook ${fields.length + 1}`, said: "deny" })}>
        <Plus aria-hidden />
        Add a hook expectation
      </Button>
    </>
  );
}

function JudgeReplies({ form }: { form: CaseForm }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "judgeReplies" });
  const judges = useWatch({ control: form.control, name: "judgeReplies" });
  return (
    <>
      {fields.map((judge, at) => (
        <div key={judge.id} className="flex items-start gap-2">
          <FormField form={form} name={`judgeReplies.${at}.hook`} label="Hook" className="w-40 shrink-0">
            {(field) => <Input {...field} />}
          </FormField>
          {"fails" in judge ? (
            <FormField form={form} name={`judgeReplies.${at}.fails`} label="fails with" className="min-w-0 flex-1">
              {(field) => <Input {...field} readOnly />}
            </FormField>
          ) : (
            <FormField form={form} name={`judgeReplies.${at}.reply`} label="replies" className="min-w-0 flex-1">
              {(field) => <Textarea {...field} mono rows={2} placeholder='{"decision": "deny", "reason": "…"}' />}
            </FormField>
          )}
          <IconButton
            icon={Trash2}
            label={`Remove the judge's reply for ${judges[at]?.hook}`}
            onClick={() => remove(at)}
            className="mt-6"
          />
        </div>
      ))}
      <div className="flex gap-2">
        <Button onClick={() => append({ hook: "judge", reply: "" })}>
          <Plus aria-hidden />
          Add a reply
        </Button>
        <Button onClick={() => append({ hook: "judge", fails: "timeout" })}>Simulate a judge time-out</Button>
      </div>
    </>
  );
}
