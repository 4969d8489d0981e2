"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { draftProblem, type GroupDraft, memberChange } from "@/components/agents/group-draft";
import { useGroupWork } from "@/components/agents/use-group-work";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import { useTRPC } from "@/components/trpc/client";
import { createGroup, type GroupView } from "@/server/agents/schema";

/** Makes or changes a group by its form: the name, then its agents. `wrong` is the reason why it was not done. */
export function useSaveGroup(group: GroupView | null, onClose: () => void) {
  const trpc = useTRPC();
  const work = useGroupWork();
  const [wrong, setWrong] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const create = useMutation(trpc.agents.createGroup.mutationOptions());
  const rename = useMutation(trpc.agents.renameGroup.mutationOptions());
  const setGroup = useMutation(
    trpc.agents.setGroupMembers.mutationOptions(orSecondPerson("set_group_members", onClose)),
  );
  const save = async (name: string, draft: GroupDraft) => {
    const parsed = createGroup.safeParse({ name });
    const problem = parsed.success
      ? draftProblem(draft)
      : (parsed.error.issues[0]?.message ?? "This name cannot be used.");
    setWrong(problem);
    if (!parsed.success || problem !== null) return;
    setBusy(true);
    try {
      const groupId = group?.id ?? (await create.mutateAsync(parsed.data)).groupId;
      if (group && group.name !== parsed.data.name)
        await rename.mutateAsync({ groupId: group.id, name: parsed.data.name });
      const change = memberChange(group, draft);
      await work(change ? setGroup.mutateAsync({ groupId, ...change }) : Promise.resolve());
      onClose();
    } catch (error) {
      setWrong(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return { save, wrong, isBusy };
}
