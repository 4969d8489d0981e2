"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Archive, ArchiveRestore, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { usePermission } from "@/components/access/permission";
import { ActDialog } from "@/components/layout/act-dialog";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { IconButton } from "@/components/ui/icon-button";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Menu } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import type { AgentView } from "@/server/agents/schema";

const RenameAgentDialog = loadWhenOpened(() =>
  import("@/components/agents/rename-agent-dialog").then((one) => one.RenameAgentDialog),
);

/** Renames, retires, brings back and removes an agent; the demo's agents go with the demo. */
export function AgentMenu({ agent, onRemoved }: { agent: AgentView; onRemoved: () => void }) {
  const trpc = useTRPC();
  const done = useDone();
  const [asked, setAsked] = useState<"rename" | "retire" | "remove" | null>(null);
  const { isGranted } = usePermission("agent:write");
  const restore = useMutation(
    trpc.agents.restore.mutationOptions({
      onSuccess: () => done(`${agent.name} restored. Its keys work again.`),
      onError: (error) => toast.error(failureSentence(error)),
    }),
  );
  if (!isGranted || agent.isDemo) return null;
  const { id: agentId, name } = agent;
  const bringBack = () => restore.mutate({ agentId });
  const close = () => setAsked(null);
  return (
    <>
      <Menu
        trigger={<IconButton icon={Ellipsis} label={`More about ${name}`} />}
        items={[
          { label: "Rename…", icon: Pencil, onSelect: () => setAsked("rename") },
          ...(agent.retiredAt === null
            ? [{ label: "Retire…", icon: Archive, danger: true, onSelect: () => setAsked("retire") }]
            : [
                { label: "Restore", icon: ArchiveRestore, onSelect: bringBack },
                { label: "Remove…", icon: Trash2, danger: true, onSelect: () => setAsked("remove") },
              ]),
        ]}
      />
      <RenameAgentDialog agent={agent} open={asked === "rename"} onOpenChange={close} onDone={done} />
      <ActDialog
        mutation={trpc.agents.retire.mutationOptions()}
        input={asked === "retire" && { agentId }}
        onClose={close}
        title={`Retire ${name}?`}
        confirm="Retire agent"
        onDone={() => done(`${name} retired`)}
      >
        <p>
          All calls with the agent's keys are refused from now on. With the enrolment snippet, every action that can be
          blocked is blocked.
        </p>
        <p>You can restore the agent and its keys later. Records of its past calls are kept.</p>
      </ActDialog>
      <ActDialog
        mutation={trpc.agents.remove.mutationOptions()}
        input={asked === "remove" && { agentId }}
        onClose={close}
        title={`Remove ${name}?`}
        confirm="Remove agent"
        typed={name}
        onDone={() => {
          onRemoved();
          return done(`${name} removed`);
        }}
      >
        <p>
          The agent, its keys and its group memberships are deleted. Its decisions, costs and audit entries are kept
          under its name.
        </p>
      </ActDialog>
    </>
  );
}

/** Says that an act is done, and fetches the agents again. */
function useDone(): (says: string) => Promise<void> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return async (says) => {
    toast.success(says);
    await queries.invalidateQueries({ queryKey: trpc.agents.pathKey() });
  };
}
