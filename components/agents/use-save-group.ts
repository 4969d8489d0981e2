"use client";

import { useMutation } from "@tanstack/react-query";
import { type GroupForm, memberChange } from "@/components/agents/group-draft";
import { useGroupRefresh } from "@/components/agents/use-group-refresh";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import { useTRPC } from "@/components/trpc/client";
import type { GroupView } from "@/server/agents/schema";

/** Makes or changes a group by its form: the name, then its agents. Rejects when it was not done. */
export function useSaveGroup(group: GroupView | null, onClose: () => void) {
  const trpc = useTRPC();
  const refresh = useGroupRefresh();
  const create = useMutation(trpc.agents.createGroup.mutationOptions());
  const rename = useMutation(trpc.agents.renameGroup.mutationOptions());
  const setGroup = useMutation(
    trpc.agents.setGroupMembers.mutationOptions(orSecondPerson("set_group_members", onClose)),
  );
  return async ({ name, kind, members, pattern }: GroupForm) => {
    const groupId = group?.id ?? (await create.mutateAsync({ name })).groupId;
    if (group && group.name !== name) await rename.mutateAsync({ groupId: group.id, name });
    const change = memberChange(group, { kind, pattern, members: new Set(members) });
    if (change) await setGroup.mutateAsync({ groupId, ...change });
    await refresh();
    onClose();
  };
}
