"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { SCOPE_LABELS } from "@/components/halts/labels";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Checkbox } from "@/components/ui/checkbox";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { HALT_SCOPES, type HaltScope, REASON_CHARS_MAX, startHalt } from "@/server/halts/schema";

interface HaltForm {
  readonly scope: HaltScope;
  readonly groupId: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly isQuarantine: boolean;
  readonly reason: string;
}

const EMPTY: HaltForm = {
  scope: "workspace",
  groupId: "",
  agentId: "",
  sessionId: "",
  isQuarantine: false,
  reason: "",
};

/** Asks for scope and reason, and then every gate of it denies. */
export function HaltDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const trpc = useTRPC();
  const [form, setForm] = useState(EMPTY);
  const put = (changed: Partial<HaltForm>) => setForm({ ...form, ...changed });
  const halt = useMutation(trpc.halts.halt.mutationOptions());
  const act = async () => {
    const read = startHalt.safeParse({ target: targetOf(form), reason: form.reason });
    if (!read.success) throw new Error(problemOf(form, read.error.issues[0]?.path[0] === "reason"));
    await halt.mutateAsync(read.data).catch((error: unknown) => {
      throw new Error(failureSentence(error));
    });
    setForm(EMPTY);
    toast.success("Halted", { description: "Every gate of it denies from now on." });
  };
  return (
    <ConfirmDialog open={open} onOpenChange={onOpenChange} title="Halt agents?" confirm="Halt now" onConfirm={act}>
      <p>
        Every gate denies at once, whatever policies say, until somebody resumes it. What runs already is not ended.
      </p>
      <Field label="Halt">
        <Select
          value={form.scope}
          onChange={(scope) => put({ scope })}
          options={HALT_SCOPES.map((value) => ({ value, label: SCOPE_LABELS[value] }))}
        />
      </Field>
      <TargetFields form={form} put={put} />
      <Field label="Why" help="Every agent that is halted answers with it.">
        <Textarea
          value={form.reason}
          rows={2}
          maxLength={REASON_CHARS_MAX}
          onChange={(event) => put({ reason: event.target.value })}
        />
      </Field>
    </ConfirmDialog>
  );
}

function TargetFields({ form, put }: { form: HaltForm; put: (changed: Partial<HaltForm>) => void }) {
  const trpc = useTRPC();
  const { scope } = form;
  const targets = useQuery(trpc.budgets.targets.queryOptions(undefined, { enabled: scope !== "workspace" })).data;
  if (scope === "workspace") return null;
  const named = (scope === "group" ? targets?.groups : targets?.agents) ?? [];
  const chosen = scope === "group" ? form.groupId : form.agentId;
  return (
    <>
      <Field
        label={scope === "group" ? "Group" : "Agent"}
        help={targets && named.length === 0 ? "There is none yet." : undefined}
      >
        <Select
          key={scope}
          value={chosen === "" ? undefined : chosen}
          onChange={(id) => put(scope === "group" ? { groupId: id } : { agentId: id })}
          options={named.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Field>
      {scope === "session" ? (
        <Field
          label="Session"
          help="Its id, as the page of the session shows it. The sessions that it began are halted too."
        >
          <Input mono value={form.sessionId} onChange={(event) => put({ sessionId: event.target.value })} />
        </Field>
      ) : null}
      {scope === "agent" ? (
        <Checkbox
          checked={form.isQuarantine}
          onChange={(isQuarantine) => put({ isQuarantine })}
          label="Quarantine"
          help="Marks the agent as halted until somebody has reviewed it."
        />
      ) : null}
    </>
  );
}

function targetOf({ scope, groupId, agentId, sessionId, isQuarantine }: HaltForm) {
  if (scope === "workspace") return { scope };
  if (scope === "group") return { scope, groupId };
  return scope === "agent" ? { scope, agentId, isQuarantine } : { scope, agentId, sessionId };
}

function problemOf({ scope, agentId }: HaltForm, isReason: boolean): string {
  if (isReason) return "Say why in one line: every agent that is halted answers with it.";
  if (scope === "session" && agentId !== "") return "Say the session's id.";
  return scope === "group" ? "Choose the group." : "Choose the agent.";
}
