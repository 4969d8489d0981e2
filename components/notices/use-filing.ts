"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { plural } from "@/components/ui/format/count";
import { toast } from "@/components/ui/toast";

/** Archives and snoozes notices; each act can be undone from its toast. */
export function useFiling() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: trpc.notices.list.queryKey() }),
      queries.invalidateQueries({ queryKey: trpc.attention.counts.queryKey() }),
    ]);
  const onError = (error: unknown) => toast.error("Couldn't update the inbox", { description: failureSentence(error) });
  // Options of the mutation, not of the call: a live update may remove the row before the answer arrives.
  const archive = useMutation(
    trpc.notices.archive.mutationOptions({
      onSuccess: async (_done, { keys, isArchived }) => {
        if (isArchived) toast.success(`${plural(keys.length, "notice")} archived`, undo(keys));
        await refresh();
      },
      onError,
    }),
  );
  const snooze = useMutation(
    trpc.notices.snooze.mutationOptions({
      onSuccess: async (_done, { keys }) => {
        toast.success("Snoozed", undo(keys));
        await refresh();
      },
      onError,
    }),
  );
  const putBack = (keys: string[]) => archive.mutate({ keys, isArchived: false });
  const undo = (keys: string[]) => ({ action: { label: "Undo", onClick: () => putBack(keys) } });
  return {
    isBusy: archive.isPending || snooze.isPending,
    putBack,
    archive: (keys: string[]) => archive.mutate({ keys, isArchived: true }),
    snooze: (keys: string[], until: Date) => snooze.mutate({ keys, until }),
  };
}

export type Filing = ReturnType<typeof useFiling>;
