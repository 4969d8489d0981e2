"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { SCOPE_SAYS } from "@/components/agents/scopes";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { KEY_SCOPES, type KeyScope } from "@/server/access/role-schema";
import type { AgentView } from "@/server/agents/schema";

export interface AddKeyDialogProps {
  agent: AgentView;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onAdded: (key: string) => Promise<unknown>;
}

/** Another key: what it is for, and when it ends. */
export function AddKeyDialog({ agent, open, onOpenChange, onAdded }: AddKeyDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} size="sm" title={`A key for ${agent.name}`}>
      {open ? <Form agent={agent} onClose={() => onOpenChange(false)} onAdded={onAdded} /> : null}
    </Dialog>
  );
}

const ENDS = [
  { value: "never", label: "never" },
  { value: "30", label: "in 30 days" },
  { value: "90", label: "in 90 days" },
  { value: "365", label: "in a year" },
] as const;
type Ends = (typeof ENDS)[number]["value"];

function Form({
  agent,
  onClose,
  onAdded,
}: {
  agent: AgentView;
  onClose: () => void;
  onAdded: (key: string) => Promise<unknown>;
}) {
  const trpc = useTRPC();
  const [scopes, setScopes] = useState<readonly KeyScope[]>(KEY_SCOPES);
  const [ends, setEnds] = useState<Ends>("never");
  const add = useMutation(
    trpc.agents.createKey.mutationOptions({
      onSuccess: async ({ key }) => {
        onClose();
        await onAdded(key);
      },
    }),
  );
  return (
    <form
      className="flex flex-col gap-4 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({
          agentId: agent.id,
          scopes: [...scopes],
          ...(ends === "never" ? {} : { days: Number(ends) }),
        });
      }}
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium text-sm">What it is for</legend>
        {KEY_SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={scope}
            help={SCOPE_SAYS[scope]}
            checked={scopes.includes(scope)}
            onChange={(isOn) => setScopes(isOn ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
          />
        ))}
      </fieldset>
      <Field label="It ends">
        <Select value={ends} onChange={setEnds} options={ENDS} />
      </Field>
      {add.error ? <ErrorLine>{failureSentence(add.error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={add.isPending} disabled={scopes.length === 0}>
          Add key
        </Button>
      </div>
    </form>
  );
}
