"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { assignWords, type Binding, type Scope } from "@/components/policies/words";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toast";
import type { PolicyDetailView } from "@/server/policies/schema";

export interface AppliesToDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  policy: PolicyDetailView;
  binding: Binding;
  /** Everyone enrolled, by name. */
  agents: readonly { id: string; name: string }[];
}

/** Whom the policy binds: everyone, some, nobody. Says who is freed before it frees them. */
export function AppliesToDialog(props: AppliesToDialogProps) {
  const { open, onOpenChange, policy } = props;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Who is bound by ${policy.name}`}
      description={
        policy.latestRevision === 0
          ? "Nothing is published yet. This takes effect with the first revision."
          : `Takes effect at once, with revision ${policy.latestRevision}.`
      }
    >
      {open ? <Choice {...props} /> : null}
    </Dialog>
  );
}

const CHOICES: readonly { scope: Scope; label: string; help: string }[] = [
  { scope: "workspace", label: "The whole workspace", help: "Every agent, also those enrolled later." },
  { scope: "agent", label: "Chosen agents", help: "Only the ones picked here." },
  { scope: "nobody", label: "Nobody", help: "The policy is kept and governs no one." },
];

function Choice({ onOpenChange, policy, binding, agents }: AppliesToDialogProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const name = useId();
  const isUnassignedFirst = policy.latestRevision === 0 && policy.scope === "nobody";
  const [scope, setScope] = useState<Scope>(isUnassignedFirst ? "workspace" : policy.scope);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(policy.agents.map((agent) => agent.id)));
  const [sought, setSought] = useState("");
  const assign = useMutation(trpc.policies.assign.mutationOptions());
  const picked = agents.filter((agent) => chosen.has(agent.id));
  const after: Binding = { scope, agents: picked.map((agent) => agent.name), enrolled: agents.length };
  const words = assignWords(
    isUnassignedFirst ? { ...binding, scope: "nobody" } : binding,
    after,
    agents.map((agent) => agent.name),
  );
  const frees = words.some((sentence) => sentence.includes("not be bound"));
  const misses = scope === "agent" && picked.length === 0;
  const save = () =>
    assign.mutate(
      { policyId: policy.id, scope, agentIds: scope === "agent" ? picked.map((agent) => agent.id) : [] },
      {
        onSuccess: async () => {
          onOpenChange(false);
          toast.success("Whom the policy binds has changed");
          await Promise.all([
            queries.invalidateQueries({ queryKey: trpc.policies.pathKey() }),
            queries.invalidateQueries({ queryKey: trpc.agents.pathKey() }),
          ]);
        },
      },
    );
  const toggle = (id: string, isIn: boolean) => {
    const next = new Set(chosen);
    if (isIn) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  return (
    <div className="flex flex-col gap-4 pb-3">
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">Who is bound</legend>
        {CHOICES.map((choice) => {
          // Before the first revision nothing is in force for anyone; a draft is the way to hold a policy back.
          const disabled = choice.scope === "nobody" && policy.latestRevision === 0;
          return (
            <label
              key={choice.scope}
              className="flex cursor-pointer items-start gap-2 has-disabled:cursor-not-allowed has-disabled:text-faint"
            >
              <input
                type="radio"
                name={name}
                className="mt-1 accent-accent"
                checked={scope === choice.scope}
                disabled={disabled}
                onChange={() => setScope(choice.scope)}
              />
              <span>
                <span className="font-medium">{choice.label}</span>
                <span className="block text-muted text-sm">
                  {disabled ? "While it is a draft it binds nobody anyway." : choice.help}
                </span>
              </span>
            </label>
          );
        })}
      </fieldset>
      {scope === "agent" ? (
        agents.length === 0 ? (
          <p className="text-muted">No agent is enrolled yet.</p>
        ) : (
          <div className="flex flex-col gap-2">
            {agents.length > 8 ? (
              <Input
                aria-label="Find an agent"
                placeholder="Find an agent"
                value={sought}
                onChange={(event) => setSought(event.target.value)}
              />
            ) : null}
            <ul className="flex max-h-56 flex-col gap-1.5 overflow-y-auto rounded-md border p-3">
              {agents
                .filter((agent) => agent.name.toLowerCase().includes(sought.trim().toLowerCase()))
                .map((agent) => (
                  <li key={agent.id}>
                    <Checkbox
                      checked={chosen.has(agent.id)}
                      onChange={(isIn) => toggle(agent.id, isIn)}
                      label={agent.name}
                    />
                  </li>
                ))}
            </ul>
          </div>
        )
      ) : null}
      {misses ? (
        <Notice kind="warning">Choose at least one agent, or say that the policy binds nobody.</Notice>
      ) : words.length > 0 ? (
        <Notice kind={frees ? "danger" : "info"}>
          {words.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Notice>
      ) : null}
      {assign.error ? <ErrorLine>{failureSentence(assign.error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={() => onOpenChange(false)}>Keep as it is</Button>
        <Button
          variant={frees ? "danger" : "primary"}
          disabled={misses || words.length === 0}
          busy={assign.isPending}
          onClick={save}
        >
          Change who is bound
        </Button>
      </div>
    </div>
  );
}
