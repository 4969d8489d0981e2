"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import type { ConnectionView } from "@/server/judges/schema";

/** Stands before the removal of a connection. */
export function RemoveConnection({ connection, onClose }: { connection: ConnectionView | null; onClose: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const remove = useMutation(trpc.judges.remove.mutationOptions());
  const end = async () => {
    if (!connection) return;
    await remove.mutateAsync({ id: connection.id }).catch((error: unknown) => {
      throw new Error(failureSentence(error));
    });
    toast.success(`${connection.name} is removed`);
    await queries.invalidateQueries({ queryKey: trpc.judges.connections.queryKey() });
  };
  return (
    <ConfirmDialog
      open={connection !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={`Remove the connection ${connection?.name ?? ""}?`}
      confirm="Remove connection"
      typed={connection?.name ?? ""}
      onConfirm={end}
    >
      <p>
        Its key and its prices are erased. From this moment on every judge that asks <code>{connection?.name}/…</code>{" "}
        fails, and what such a judge gates is denied.
      </p>
      <p>What it answered so far stays recorded.</p>
    </ConfirmDialog>
  );
}
