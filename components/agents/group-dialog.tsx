"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type MemberChoice, Members } from "@/components/agents/members";
import { useGroupWork } from "@/components/agents/use-group-work";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { plural } from "@/components/ui/format/count";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { createGroup, type GroupView } from "@/server/agents/schema";

export interface GroupDialogProps {
  /** Null for a new one. */
  group: GroupView | null;
  onClose: () => void;
}

const NOBODY: readonly MemberChoice[] = [];

/** A group's name and members. Says which policies reach and leave whom before it does so. */
export function GroupDialog({ group, onClose }: GroupDialogProps) {
  const trpc = useTRPC();
  const work = useGroupWork();
  const everyone = useQuery(trpc.agents.names.queryOptions());
  const agents = everyone.data ?? NOBODY;
  const [name, setName] = useState(group?.name ?? "");
  const [members, setMembers] = useState<ReadonlySet<string>>(() => new Set(group?.agentIds));
  const [wrong, setWrong] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const create = useMutation(trpc.agents.createGroup.mutationOptions());
  const rename = useMutation(trpc.agents.renameGroup.mutationOptions());
  const setGroup = useMutation(
    trpc.agents.setGroupMembers.mutationOptions(orSecondPerson("set_group_members", onClose)),
  );
  const had = new Set(group?.agentIds);
  const added = agents.filter(({ id }) => members.has(id) && !had.has(id));
  const gone = agents.filter(({ id }) => had.has(id) && !members.has(id));
  const applied = [...new Set((group?.policies ?? []).map((policy) => policy.name))].join(", ");
  const save = async () => {
    const parsed = createGroup.safeParse({ name });
    setWrong(parsed.success ? null : (parsed.error.issues[0]?.message ?? "This name cannot be used."));
    if (!parsed.success) return;
    setBusy(true);
    try {
      const groupId = group?.id ?? (await create.mutateAsync(parsed.data)).groupId;
      if (group && group.name !== parsed.data.name)
        await rename.mutateAsync({ groupId: group.id, name: parsed.data.name });
      if (added.length + gone.length > 0) await work(setGroup.mutateAsync({ groupId, agentIds: [...members] }));
      else await work(Promise.resolve());
      onClose();
    } catch (error) {
      setWrong(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  const toggle = (id: string, isIn: boolean) => {
    const next = new Set(members);
    if (isIn) next.add(id);
    else next.delete(id);
    setMembers(next);
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      size="sm"
      title={group ? `Group ${group.name}` : "New group"}
    >
      <form
        noValidate
        className="flex flex-col gap-4 pb-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label="Name" help="What its agents have in common: nightly, production, team payments.">
          <Input value={name} maxLength={80} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </Field>
        <Members
          agents={agents}
          status={everyone.status}
          wrong={everyone.error ? failureSentence(everyone.error) : null}
          members={members}
          onToggle={toggle}
        />
        {applied !== "" && added.length + gone.length > 0 ? (
          <Notice kind={gone.length > 0 ? "danger" : "info"}>
            {added.length > 0 ? (
              <p>
                {plural(added.length, "agent")} will be bound by {applied}.
              </p>
            ) : null}
            {gone.length > 0 ? (
              <p>
                {plural(gone.length, "agent")} will not be bound through this group any more by {applied}.
              </p>
            ) : null}
          </Notice>
        ) : null}
        {wrong ? <ErrorLine>{wrong}</ErrorLine> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {group ? "Save group" : "Create group"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
