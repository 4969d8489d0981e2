"use client";

import { useQuery } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { draftOf, type GroupDraft, matchSentence, membersOf, readGroup } from "@/components/agents/group-draft";
import { GroupEffect } from "@/components/agents/group-effect";
import { type MemberChoice, Members } from "@/components/agents/members";
import { NamePatternField } from "@/components/agents/name-pattern-field";
import { useSaveGroup } from "@/components/agents/use-save-group";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { readBy } from "@/components/ui/form-texts";
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
  const { members, ...before } = draftOf(group);
  const form = useForm(readBy(readGroup), { ...before, members: [...members], name: group?.name ?? "" });
  const save = useSaveGroup(group, onClose);
  const [kind, pattern, listed] = useWatch({ control: form.control, name: ["kind", "pattern", "members"] });
  const draft = { kind, pattern, members: new Set(listed) };
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
      <Form form={form} onSubmit={save} action={group ? "Save group" : "Create group"} onCancel={onClose}>
        <FormField form={form} name="name" label="Name" help="For example: nightly, production, team payments.">
          {(field) => <Input {...field} maxLength={80} autoComplete="off" />}
        </FormField>
        <Segmented
          label="Agents in the group"
          className="self-start"
          value={kind}
          onChange={(next) => form.setValue("kind", next)}
          options={KINDS}
        />
        {kind === "pattern" ? (
          <NamePatternField
            form={form}
            preview={chosen && everyone.data ? matchSentence(chosen.map(nameOf), agents.length) : null}
          />
        ) : (
          <Members
            agents={agents}
            status={everyone.status}
            wrong={everyone.error ? failureSentence(everyone.error) : null}
            members={draft.members}
            onToggle={(id, isIn) =>
              form.setValue("members", isIn ? [...listed, id] : listed.filter((one) => one !== id))
            }
          />
        )}
        <GroupEffect
          policies={(group?.policies ?? []).map(nameOf)}
          added={chosen ? chosen.filter(({ id }) => !had.has(id)).length : 0}
          gone={chosen ? agents.filter(({ id }) => had.has(id) && !chosenIds.has(id)).length : 0}
        />
      </Form>
    </Dialog>
  );
}

const nameOf = ({ name }: { readonly name: string }) => name;
