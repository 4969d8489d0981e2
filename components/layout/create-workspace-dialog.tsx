"use client";

import { useMutation } from "@tanstack/react-query";
import { NameForm } from "@/components/layout/name-form";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { createWorkspace } from "@/server/people/schema";

export interface CreateWorkspaceDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated: (workspaceId: string) => void;
}

/** Creates a workspace that only its creator sees at first. */
export function CreateWorkspaceDialog({ open, onOpenChange, onCreated }: CreateWorkspaceDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title="New workspace"
      description="The workspace has its own agents, policies, people and record. Only people you invite can see the workspace."
    >
      {open ? <Form onClose={() => onOpenChange(false)} onCreated={onCreated} /> : null}
    </Dialog>
  );
}

const wrongWith = (name: string) => createWorkspace.safeParse({ name }).error?.issues[0]?.message ?? null;

function Form({ onClose, onCreated }: { onClose: () => void; onCreated: (workspaceId: string) => void }) {
  const trpc = useTRPC();
  const create = useMutation(
    trpc.access.createWorkspace.mutationOptions({ onSuccess: ({ workspaceId }) => onCreated(workspaceId) }),
  );
  return (
    <NameForm
      action="Create workspace"
      wrongWith={wrongWith}
      error={create.error}
      busy={create.isPending}
      onSubmit={(name) => create.mutate({ name })}
      onCancel={onClose}
    />
  );
}
