"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { z } from "zod";
import { SCOPE_LABELS } from "@/components/halts/labels";
import { useTRPC } from "@/components/trpc/client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { FormCheckbox, FormField, sendForm, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import {
  HALT_SCOPES,
  type HaltScope,
  type HaltTarget,
  haltScope,
  REASON_CHARS_MAX,
  type StartHalt,
  startHalt,
} from "@/server/halts/schema";

const texts = z.object({ groupId: z.string(), agentId: z.string(), sessionId: z.string(), isQuarantine: z.boolean() });
const haltForm = z
  .object({ target: texts.extend({ scope: haltScope }).transform(targetOf), reason: z.string() })
  .pipe(startHalt);
type HaltForm = z.input<typeof haltForm>;

const EMPTY: HaltForm = {
  target: { scope: "workspace", groupId: "", agentId: "", sessionId: "", isQuarantine: false },
  reason: "",
};

/** Asks for scope and reason, and then every gate of it denies. */
export function HaltDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const trpc = useTRPC();
  const form = useForm(haltForm, EMPTY);
  const halt = useMutation(trpc.halts.halt.mutationOptions());
  const act = async (values: StartHalt) => {
    await halt.mutateAsync(values);
    form.reset();
    toast.success("Halted", { description: "Every gate that asks the console denies from now on." });
  };
  const change = (next: boolean) => {
    form.clearErrors();
    onOpenChange(next);
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={change}
      title="Halt agents?"
      confirm="Halt now"
      onConfirm={() => sendForm(form, act)}
    >
      <p>
        Every gate that asks the console denies at once, whatever policies say, until a person resumes it. What runs
        already is not ended.
      </p>
      <FormField form={form} name="target.scope" label="Halt">
        {(field) => <Select {...field} options={HALT_SCOPES.map((value) => ({ value, label: SCOPE_LABELS[value] }))} />}
      </FormField>
      <TargetFields form={form} />
      <FormField form={form} name="reason" label="Why" help="Every agent that is halted answers with it.">
        {(field) => <Textarea {...field} rows={2} maxLength={REASON_CHARS_MAX} />}
      </FormField>
    </ConfirmDialog>
  );
}

function TargetFields({ form }: { form: UseFormReturn<HaltForm, unknown, StartHalt> }) {
  const trpc = useTRPC();
  const scope = useWatch({ control: form.control, name: "target.scope" });
  const targets = useQuery(trpc.budgets.targets.queryOptions(undefined, { enabled: scope !== "workspace" })).data;
  if (scope === "workspace") return null;
  const named = (scope === "group" ? targets?.groups : targets?.agents) ?? [];
  const options = named.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <FormField
        key={scope}
        form={form}
        name={scope === "group" ? "target.groupId" : "target.agentId"}
        label={scope === "group" ? "Group" : "Agent"}
        help={targets && named.length === 0 ? "There is none yet." : undefined}
      >
        {(field) => <Select {...field} value={field.value || undefined} options={options} />}
      </FormField>
      {scope === "session" ? (
        <FormField
          form={form}
          name="target.sessionId"
          label="Session"
          help="Its id, as the page of the session shows it. The sessions that it began are halted too."
        >
          {(field) => <Input {...field} mono />}
        </FormField>
      ) : null}
      {scope === "agent" ? (
        <FormCheckbox
          form={form}
          name="target.isQuarantine"
          label="Quarantine"
          help="Marks the agent as halted until a person has reviewed it."
        />
      ) : null}
    </>
  );
}

function targetOf({
  scope,
  groupId,
  agentId,
  sessionId,
  isQuarantine,
}: z.infer<typeof texts> & { scope: HaltScope }): HaltTarget {
  if (scope === "workspace") return { scope };
  if (scope === "group") return { scope, groupId };
  return scope === "agent" ? { scope, agentId, isQuarantine } : { scope, agentId, sessionId };
}
