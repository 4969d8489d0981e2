"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Building2, ChevronsUpDown, Plus } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Menu } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";

const CreateWorkspaceDialog = loadWhenOpened(() =>
  import("@/components/layout/create-workspace-dialog").then((one) => one.CreateWorkspaceDialog),
);

/**
 * The current workspace, and a menu with the others. Renders nothing with one workspace and no permission to create
 * one.
 */
export function WorkspaceSwitch({ compact }: { compact: boolean }) {
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.access.me.queryOptions());
  const [isCreating, setCreating] = useState(false);
  const change = useMutation(
    trpc.access.switchWorkspace.mutationOptions({
      // Loads a new document, so that no data of the other workspace stays on screen or in memory.
      onSuccess: () => window.location.assign("/"),
      onError: (error) => toast.error("The workspace could not be switched", { description: failureSentence(error) }),
    }),
  );
  const mayCreate = me?.permissions.some(({ name, isGranted }) => name === "workspace:create" && isGranted) ?? false;
  if (!me || (me.workspaces.length < 2 && !mayCreate)) return null;
  const here = me.workspaces.find(({ id }) => id === me.workspaceId);
  return (
    <div className="px-2 pb-2">
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            aria-label={`Workspace ${here?.name ?? ""}`}
            className={`flex h-7 w-full items-center gap-2 rounded-md text-sm transition-colors hover:bg-pressed max-md:h-9 ${compact ? "justify-center" : "px-2"}`}
          >
            <Building2 aria-hidden className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
            {compact ? null : (
              <>
                <span className="min-w-0 flex-1 truncate text-left font-medium">{here?.name}</span>
                <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint" />
              </>
            )}
          </button>
        }
        items={[
          ...me.workspaces.map(({ id, name, role }) => ({
            kind: "check" as const,
            label: `${name} · ${role}`,
            checked: id === me.workspaceId,
            onChange: () => (id === me.workspaceId ? undefined : change.mutate({ workspaceId: id })),
          })),
          ...(mayCreate
            ? [
                { kind: "separator" as const },
                { label: "New workspace…", icon: Plus, onSelect: () => setCreating(true) },
              ]
            : []),
        ]}
      />
      <CreateWorkspaceDialog
        open={isCreating}
        onOpenChange={setCreating}
        onCreated={(workspaceId) => change.mutate({ workspaceId })}
      />
    </div>
  );
}
