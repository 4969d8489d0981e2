"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { draftOf, type GroupDraft, matchSentence, membersOf } from "@/components/agents/group-draft";
import { GroupEffect } from "@/components/agents/group-effect";
import { type MemberChoice, Members } from "@/components/agents/members";
import { NamePatternField } from "@/components/agents/name-pattern-field";
import { useSaveGroup } from "@/components/agents/use-save-group";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Segmented } from "@/components/ui/segmented";
import type { GroupView } from "@/server/agents/schema";

export interface GroupDialogProps {
  /** Null for a new one. */
  group: GroupView | null;
  onClose: () => void;
}

const NOBODY: readonly MemberChoice[] = [];
const KINDS = [
  { value: "list", label: "Listed agents" },
  { value: "pattern", label: "Name pattern" },
] as const satisfies { value: GroupDraft["kind"]; label: string }[];

/** A group's name and agents, listed or by a name pattern. Says which policies reach and leave whom before it does so. */
export function GroupDialog({ group, onClose }: GroupDialogProps) {
  const trpc = useTRPC();
  const everyone = useQuery(trpc.agents.names.queryOptions());
  const agents = everyone.data ?? NOBODY;
  const [name, setName] = useState(group?.name ?? "");
  const [draft, setDraft] = useState(() => draftOf(group));
  const { save, wrong, isBusy } = useSaveGroup(group, onClose);
  const had = new Set(group?.agentIds);
  const chosen = membersOf(draft, agents);
  const chosenIds = new Set(chosen?.map(({ id }) => id));
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
          void save(name, draft);
        }}
      >
        <Field label="Name" help="What its agents have in common: nightly, production, team payments.">
          <Input value={name} maxLength={80} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </Field>
        <Segmented
          label="The agents of the group"
          className="self-start"
          value={draft.kind}
          onChange={(kind) => setDraft({ ...draft, kind })}
          options={KINDS}
        />
        {draft.kind === "pattern" ? (
          <NamePatternField
            value={draft.pattern}
            onChange={(pattern) => setDraft({ ...draft, pattern })}
            preview={chosen && everyone.data ? matchSentence(chosen.map(nameOf), agents.length) : null}
          />
        ) : (
          <Members
            agents={agents}
            status={everyone.status}
            wrong={everyone.error ? failureSentence(everyone.error) : null}
            members={draft.members}
            onToggle={(id, isIn) => setDraft({ ...draft, members: toggled(draft.members, id, isIn) })}
          />
        )}
        <GroupEffect
          policies={(group?.policies ?? []).map(nameOf)}
          added={chosen ? chosen.filter(({ id }) => !had.has(id)).length : 0}
          gone={chosen ? agents.filter(({ id }) => had.has(id) && !chosenIds.has(id)).length : 0}
        />
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

const nameOf = ({ name }: { readonly name: string }) => name;

function toggled(members: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(members);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}
