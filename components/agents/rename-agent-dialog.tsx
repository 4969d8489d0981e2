"use client";

import { useMutation } from "@tanstack/react-query";
import { NameForm } from "@/components/layout/name-form";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { type AgentView, createAgent } from "@/server/agents/schema";

export interface RenameAgentDialogProps {
  agent: AgentView;
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Receives the sentence to show. */
  onDone: (says: string) => Promise<void>;
}

/** Gives an agent another name. */
export function RenameAgentDialog({ agent, open, onOpenChange, onDone }: RenameAgentDialogProps) {
  const { id: agentId, name } = agent;
  const trpc = useTRPC();
  const close = () => onOpenChange(false);
  const rename = useMutation(
    trpc.agents.rename.mutationOptions({
      onSuccess: (_renamed, { name: text }) => {
        close();
        return onDone(`${name} renamed to ${text.trim()}`);
      },
    }),
  );
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title={`Rename ${name}`}
      description="The agent's keys stay valid. Groups with a name pattern use the new name, so the agent's groups can change. Past records keep the old name."
    >
      {open ? (
        <NameForm
          initial={name}
          charsMax={64}
          action="Rename agent"
          wrongWith={(text) => createAgent.safeParse({ name: text }).error?.issues[0]?.message ?? null}
          error={rename.error}
          busy={rename.isPending}
          onSubmit={(text) => rename.mutate({ agentId, name: text })}
          onCancel={close}
        />
      ) : null}
    </Dialog>
  );
}
