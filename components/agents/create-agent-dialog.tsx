"use client";

import { useMutation } from "@tanstack/react-query";
import type { NewKey } from "@/components/agents/new-key-dialog";
import { NameForm } from "@/components/layout/name-form";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
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
      description="The agent gets its own key. Workspace policies apply from its first event."
    >
      {open ? <Form onClose={() => onOpenChange(false)} onCreated={onCreated} /> : null}
    </Dialog>
  );
}

const wrongWith = (name: string) => createAgent.safeParse({ name }).error?.issues[0]?.message ?? null;

function Form({ onClose, onCreated }: { onClose: () => void; onCreated: (created: NewKey) => void }) {
  const trpc = useTRPC();
  const create = useMutation(trpc.agents.create.mutationOptions());
  return (
    <NameForm
      help="For example: ci, release bot, Mia's laptop."
      action="Create agent"
      wrongWith={wrongWith}
      error={create.error}
      busy={create.isPending}
      onSubmit={(name) =>
        create.mutate(
          { name },
          {
            onSuccess: ({ key }) => {
              onClose();
              onCreated({ agentName: name.trim(), key });
            },
          },
        )
      }
      onCancel={onClose}
    />
  );
}
