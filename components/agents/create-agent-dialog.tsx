"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { NewKey } from "@/components/agents/new-key-dialog";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { createAgent } from "@/server/agents/schema";

export interface CreateAgentDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated: (created: NewKey) => void;
}

/** Names an agent; its first key follows. */
export function CreateAgentDialog({ open, onOpenChange, onCreated }: CreateAgentDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title="New agent"
      description="It gets a key of its own. Policies of the whole workspace bind it from its first event on."
    >
      {open ? <Form onClose={() => onOpenChange(false)} onCreated={onCreated} /> : null}
    </Dialog>
  );
}

function Form({ onClose, onCreated }: { onClose: () => void; onCreated: (created: NewKey) => void }) {
  const trpc = useTRPC();
  const [name, setName] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const create = useMutation(trpc.agents.create.mutationOptions());
  const isTaken = appCodeOf(create.error) === "name_taken";
  const submit = () => {
    const parsed = createAgent.safeParse({ name });
    setWrong(parsed.success ? null : (parsed.error.issues[0]?.message ?? "This name cannot be used."));
    if (!parsed.success) return;
    create.mutate(parsed.data, {
      onSuccess: ({ key }) => {
        onClose();
        onCreated({ agentName: parsed.data.name, key });
      },
    });
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
      <Field
        label="Name"
        help="Where it runs or what it does: ci, release bot, laptop of Mia."
        error={wrong ?? (isTaken && create.error ? failureSentence(create.error) : undefined)}
      >
        <Input
          autoFocus
          value={name}
          maxLength={80}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      {create.error && !isTaken ? <ErrorLine>{failureSentence(create.error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={create.isPending}>
          Create agent
        </Button>
      </div>
    </form>
  );
}
