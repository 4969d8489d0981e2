"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { createWorkspace } from "@/server/people/schema";

export interface CreateWorkspaceDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated: (workspaceId: string) => void;
}

/** Names a workspace that nobody but its maker sees. */
export function CreateWorkspaceDialog({ open, onOpenChange, onCreated }: CreateWorkspaceDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title="New workspace"
      description="It has its own agents, policies, people and record. Nobody sees it but whom you invite."
    >
      {open ? <Form onClose={() => onOpenChange(false)} onCreated={onCreated} /> : null}
    </Dialog>
  );
}

function Form({ onClose, onCreated }: { onClose: () => void; onCreated: (workspaceId: string) => void }) {
  const trpc = useTRPC();
  const [name, setName] = useState("");
  const [wrong, setWrong] = useState<string | undefined>();
  const create = useMutation(
    trpc.access.createWorkspace.mutationOptions({ onSuccess: ({ workspaceId }) => onCreated(workspaceId) }),
  );
  const submit = () => {
    const parsed = createWorkspace.safeParse({ name });
    setWrong(parsed.error?.issues[0]?.message);
    if (parsed.success) create.mutate(parsed.data);
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
      <Field label="Name" error={wrong}>
        <Input
          autoFocus
          autoComplete="off"
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      {create.error ? <ErrorLine>{failureSentence(create.error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={create.isPending}>
          Create workspace
        </Button>
      </div>
    </form>
  );
}
