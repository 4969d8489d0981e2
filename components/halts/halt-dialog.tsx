"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { type HaltForm, haltForm, haltFormOf, type TargetFields, targetOf } from "@/components/halts/halt-form";
import { previewSentence, SCOPE_LABELS } from "@/components/halts/labels";
import type { StopTarget } from "@/components/layout/stop/stop-context";
import { useTRPC } from "@/components/trpc/client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { FormCheckbox, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { sendForm } from "@/components/ui/send-form";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { HALT_SCOPES, haltTarget, REASON_CHARS_MAX, type StartHalt } from "@/server/halts/schema";

interface HaltDialogProps {
  target: StopTarget;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Halts a target. With a given target, the dialog opens ready to confirm; the whole workspace is never preset. */
export function HaltDialog({ target, open, onOpenChange }: HaltDialogProps) {
  const trpc = useTRPC();
  const form = useForm(haltForm, haltFormOf(target));
  const halt = useMutation(trpc.halts.halt.mutationOptions());
  const act = async (values: StartHalt) => {
    await halt.mutateAsync(values);
    toast.success("Stopped", { description: "All calls are denied until a person selects Resume on the Halts page." });
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={titleOf(target)}
      confirm="Halt now"
      onConfirm={() => sendForm(form, act)}
    >
      <p>All calls are denied until a person selects Resume. Calls already running are not stopped.</p>
      <FormField form={form} name="target.scope" label="What to stop">
        {(field) => (
          <Select
            {...field}
            value={field.value || undefined}
            options={HALT_SCOPES.toReversed().map((value) => ({ value, label: SCOPE_LABELS[value] }))}
          />
        )}
      </FormField>
      <FieldsOfScope form={form} preset={target} />
      <Preview form={form} />
      <FormField form={form} name="reason" label="Reason" help="Each call that the halt denies shows this reason.">
        {(field) => (
          <Textarea {...field} rows={2} maxLength={REASON_CHARS_MAX} onFocus={(event) => event.target.select()} />
        )}
      </FormField>
    </ConfirmDialog>
  );
}

function titleOf({ scope, agent, group }: StopTarget): string {
  if (scope === "session") return "Stop this session?";
  if (scope === "agent" && agent) return `Stop ${agent.name}?`;
  if (scope === "group" && group) return `Stop all agents of the group ${group.name}?`;
  return "Stop agents?";
}

type FormOfHalt = UseFormReturn<HaltForm, unknown, StartHalt>;

function FieldsOfScope({ form, preset }: { form: FormOfHalt; preset: StopTarget }) {
  const trpc = useTRPC();
  const scope = useWatch({ control: form.control, name: "target.scope" });
  const needsNames = scope === "group" || scope === "agent" || scope === "session";
  const targets = useQuery(trpc.budgets.targets.queryOptions(undefined, { enabled: needsNames })).data;
  if (!needsNames) return null;
  const isGroup = scope === "group";
  const listed = (isGroup ? targets?.groups : targets?.agents) ?? [];
  const known = isGroup ? preset.group : preset.agent;
  const named = known && !listed.some(({ id }) => id === known.id) ? [known, ...listed] : listed;
  return (
    <>
      <FormField
        key={scope}
        form={form}
        name={isGroup ? "target.groupId" : "target.agentId"}
        label={isGroup ? "Group" : "Agent"}
        help={targets && named.length === 0 ? `No ${isGroup ? "groups" : "agents"} to choose yet.` : undefined}
      >
        {(field) => (
          <Select
            {...field}
            value={field.value || undefined}
            options={named.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
      </FormField>
      {scope === "session" ? (
        <FormField
          form={form}
          name="target.sessionId"
          label="Session"
          help="Enter the session ID from the session's page. The session's sub-sessions are stopped too."
        >
          {(field) => <Input {...field} mono />}
        </FormField>
      ) : null}
      {scope === "agent" ? (
        <FormCheckbox
          form={form}
          name="target.isQuarantine"
          label="Quarantine"
          help="The halt is shown as a quarantine. Review the agent before you resume it."
        />
      ) : null}
    </>
  );
}

/** The number of agents and sessions that the halt stops. It never holds the button back. */
function Preview({ form }: { form: FormOfHalt }) {
  const trpc = useTRPC();
  const fields = useWatch({ control: form.control, name: "target" });
  const text = useDeferredValue(JSON.stringify(fields));
  // Holds: it is the text of this form's own fields.
  const target = haltTarget.safeParse(targetOf(JSON.parse(text) as TargetFields)).data;
  const preview = useQuery(
    trpc.halts.preview.queryOptions(
      { target: target ?? { scope: "workspace" } },
      { enabled: target !== undefined, retry: false },
    ),
  );
  if (target === undefined) return null;
  return (
    <p role="status" className="font-medium text-text">
      {preview.data
        ? previewSentence(target.scope, preview.data)
        : preview.isError
          ? "Couldn't count the affected agents and sessions. You can still stop them."
          : "Counting agents and sessions…"}
    </p>
  );
}
