"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ActDialog } from "@/components/layout/act-dialog";
import { useTRPC } from "@/components/trpc/client";
import type { ConnectionView } from "@/server/judges/schema";

/** Stands before the removal of a connection. */
export function RemoveConnection({ connection, onClose }: { connection: ConnectionView | null; onClose: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return (
    <ActDialog
      mutation={trpc.judges.remove.mutationOptions()}
      input={connection && { id: connection.id }}
      onClose={onClose}
      title={`Remove the connection ${connection?.name ?? ""}?`}
      confirm="Remove connection"
      typed={connection?.name ?? ""}
      success={`${connection?.name} removed`}
      onDone={() => queries.invalidateQueries({ queryKey: trpc.judges.connections.queryKey() })}
    >
      <p>
        The connection's key and prices are erased. Every judge that uses <code>{connection?.name}/…</code> fails from
        now on, and the calls that this judge gates are denied.
      </p>
      <p>Recorded judge answers are kept.</p>
    </ActDialog>
  );
}
