"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { orSecondPerson, worded } from "@/components/layout/four-eyes/second-person";
import { toastWithUndo } from "@/components/layout/undo-toast";
import { assignWords, type Binding, counted, peopleNames, type Scope } from "@/components/policies/labels";
import { AudiencePicks } from "@/components/policies/rollout/audience-picks";
import { type Picked, PickList } from "@/components/policies/rollout/pick-list";
import { useRefresh } from "@/components/policies/rollout/use-rollout";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Notice } from "@/components/ui/notice";
import type { GroupView } from "@/server/agents/schema";
import type { AssignedView, AudienceChoices } from "@/server/policies/assignments/assignment-schema";
import type { PolicyDetailView } from "@/server/policies/schema";

interface TaggedAgent {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
}

export interface AppliesToDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  policy: PolicyDetailView;
  binding: Binding;
  /** Everyone enrolled, by name. */
  agents: readonly TaggedAgent[];
}

/**
 * Whom the policy binds: everyone, tags, groups and agents, or no agent. Names the agents that would no longer be bound
 * before it saves.
 */
export function AppliesToDialog(props: AppliesToDialogProps) {
  const { open, onOpenChange, policy } = props;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Assign ${policy.name}`}
      description={
        policy.latestRevision === 0
          ? "The assignment takes effect when the first revision is published."
          : policy.liveRevision === 0
            ? "The assignment takes effect immediately for agents in the canary."
            : `The assignment takes effect immediately, with revision ${policy.liveRevision}.`
      }
    >
      {open ? <Choice {...props} /> : null}
    </Dialog>
  );
}

const CHOICES: readonly { scope: Scope; label: string; help: string }[] = [
  { scope: "workspace", label: "The whole workspace", help: "All agents, including agents enrolled later." },
  { scope: "chosen", label: "Chosen tags, groups, people and agents", help: "Only the agents you choose." },
  { scope: "nobody", label: "No agents", help: "The policy is kept but applies to no agent." },
];

const NO_GROUPS: readonly GroupView[] = [];
const NO_AUDIENCES: AudienceChoices = { people: [], signOnGroups: [] };

function Choice({ onOpenChange, policy, binding, agents }: AppliesToDialogProps) {
  const trpc = useTRPC();
  const asked = useQuery(trpc.agents.groups.queryOptions());
  const groups = asked.data ?? NO_GROUPS;
  const isUnassignedFirst = policy.latestRevision === 0 && policy.scope === "nobody";
  const [scope, setScope] = useState<Scope>(isUnassignedFirst ? "workspace" : policy.scope);
  const [tags, setTags] = useState<Picked>(() => new Set(policy.tags));
  const [groupIds, setGroupIds] = useState<Picked>(() => new Set(policy.groups.map((group) => group.id)));
  const [audienceIds, setAudienceIds] = useState<Picked>(
    () => new Set([...policy.people, ...policy.signOnGroups].map(idOf)),
  );
  const choices = useQuery(trpc.policies.audienceChoices.queryOptions());
  const { people, signOnGroups } = choices.data ?? NO_AUDIENCES;
  const [agentIds, setAgentIds] = useState<Picked>(() => new Set(policy.agents.map((agent) => agent.id)));
  const assign = useAssign(policy, () => onOpenChange(false));
  const chosen = {
    scope,
    tags: scope === "chosen" ? [...tags].sort() : [],
    groups: scope === "chosen" ? groups.filter((group) => groupIds.has(group.id)) : [],
    agents: scope === "chosen" ? agents.filter((agent) => agentIds.has(agent.id)) : [],
    people: scope === "chosen" ? people.filter(({ id }) => audienceIds.has(id)) : [],
    signOnGroups: scope === "chosen" ? signOnGroups.filter(({ id }) => audienceIds.has(id)) : [],
  };
  const words = assignWords(
    isUnassignedFirst ? { ...binding, scope: "nobody" } : binding,
    { ...chosen, groups: chosen.groups.map(nameOf), agents: chosen.agents.map(nameOf), people: peopleNames(chosen) },
    isUnassignedFirst ? [] : boundNames({ ...policy, ...heldOf(policy, groups, choices.data ?? NO_AUDIENCES) }, agents),
    boundNames(chosen, agents),
  );
  const frees = words.some((sentence) => sentence.includes("not be bound"));
  const isLoaded = policy.people.length + policy.signOnGroups.length === 0 || choices.data !== undefined;
  const misses =
    isLoaded &&
    scope === "chosen" &&
    [chosen.tags, chosen.groups, chosen.agents, chosen.people, chosen.signOnGroups].every((all) => all.length === 0);
  const joins = policy.observed !== null && words.length > 0 && scope !== "nobody";
  return (
    <div className="flex flex-col gap-4">
      <ScopeField policy={policy} value={scope} onChange={setScope} />
      {scope === "chosen" ? (
        <>
          {asked.error ? <ErrorLine>The groups could not be loaded. {failureSentence(asked.error)}</ErrorLine> : null}
          <TagPicks agents={agents} picked={tags} onPick={setTags} />
          {groups.length > 0 ? (
            <PickList
              label="Groups"
              sought="group"
              rows={groups.map(({ id, name, agentIds }) => ({ id, name, aside: counted(agentIds.length, "agent") }))}
              picked={groupIds}
              onPick={setGroupIds}
            />
          ) : null}
          {choices.error ? (
            <ErrorLine>The people could not be loaded. {failureSentence(choices.error)}</ErrorLine>
          ) : null}
          <AudiencePicks
            label="Groups of the sign-on provider"
            sought="sign-on group"
            rows={signOnGroups}
            picked={audienceIds}
            onPick={setAudienceIds}
          />
          <AudiencePicks
            label="People and services"
            sought="person"
            rows={people}
            picked={audienceIds}
            onPick={setAudienceIds}
          />
          {agents.length === 0 ? (
            <p className="text-muted">No agent is enrolled yet.</p>
          ) : (
            <PickList label="Agents" sought="agent" rows={agents} picked={agentIds} onPick={setAgentIds} />
          )}
        </>
      ) : null}
      {misses ? (
        <Notice kind="warning">Choose at least one tag, group, person or agent, or choose No agents.</Notice>
      ) : isLoaded && words.length > 0 ? (
        <Notice kind={frees ? "danger" : "info"}>
          {words.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          {joins ? <p>The policy is in monitor mode. Added agents are also only observed.</p> : null}
        </Notice>
      ) : null}
      {assign.error ? <ErrorLine>{failureSentence(assign.error)}</ErrorLine> : null}
      <div className="-bottom-2 sticky flex justify-end gap-2 bg-raised py-2">
        <Button onClick={() => onOpenChange(false)}>Cancel</Button>
        <Button
          variant={frees ? "danger" : "primary"}
          disabled={misses || words.length === 0 || !isLoaded}
          busy={assign.isPending}
          onClick={() => assign.save(chosen)}
        >
          Save
        </Button>
      </div>
    </div>
  );
}

/** Assigns the policy, closes the dialog, and offers to undo it. */
function useAssign(policy: PolicyDetailView, close: () => void) {
  const trpc = useTRPC();
  const renew = useRefresh();
  const { mutate, mutateAsync, error, isPending } = useMutation(
    trpc.policies.assign.mutationOptions(orSecondPerson("assign", close)),
  );
  const { id: policyId, scope: scopeBefore } = policy;
  const before = {
    ...{ policyId, scope: scopeBefore, groupIds: policy.groups.map(idOf), agentIds: policy.agents.map(idOf) },
    ...(policy.tags.length > 0 && { tags: [...policy.tags] }),
    ...audienceInput(policy),
  };
  const undo = async (entry: number) => {
    await worded(mutateAsync({ ...before, undoes: entry }));
    await renew();
  };
  const onSuccess = async ({ entry }: AssignedView) => {
    close();
    toastWithUndo({
      title: `Assignments of ${policy.name} updated`,
      undo: () => undo(entry),
      undone: `${policy.name} is assigned as before`,
    });
    await renew();
  };
  const save = ({ scope, tags, groups, agents, ...audiences }: Chosen) =>
    mutate(
      {
        ...{ policyId, scope, groupIds: groups.map(idOf), agentIds: agents.map(idOf) },
        ...(tags.length > 0 && { tags: [...tags] }),
        ...audienceInput(audiences),
      },
      { onSuccess },
    );
  return { save, error, isPending };
}

interface ScopeFieldProps {
  policy: PolicyDetailView;
  value: Scope;
  onChange: (scope: Scope) => void;
}

function ScopeField({ policy, value, onChange }: ScopeFieldProps) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">Assigned to</legend>
      {CHOICES.map(({ scope, label, help }) => {
        // Before the first revision nothing is in force; to hold a policy back, keep it as a draft.
        const disabled = scope === "nobody" && policy.latestRevision === 0;
        return (
          <label
            key={scope}
            className="flex cursor-pointer items-start gap-2 has-disabled:cursor-not-allowed has-disabled:text-faint"
          >
            <input
              type="radio"
              name={name}
              className="mt-1 accent-accent"
              checked={value === scope}
              disabled={disabled}
              onChange={() => onChange(scope)}
            />
            <span>
              <span className="font-medium">{label}</span>
              <span className="block text-muted text-sm">
                {disabled ? "Publish the policy first: a draft applies to no agent." : help}
              </span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

interface Named {
  readonly id: string;
  readonly name: string;
}

const idOf = ({ id }: Named) => id;
const nameOf = ({ name }: Named) => name;
const groupsAt = (held: readonly Named[], groups: readonly GroupView[]) =>
  groups.filter((group) => held.some(({ id }) => id === group.id));

interface Chosen {
  readonly scope: Scope;
  readonly tags: readonly string[];
  readonly groups: readonly GroupView[];
  readonly agents: readonly Named[];
  readonly people: AudienceChoices["people"];
  readonly signOnGroups: AudienceChoices["signOnGroups"];
}

/** The tags, groups and people of a stored policy, with their present agents. */
const heldOf = (policy: PolicyDetailView, groups: readonly GroupView[], known: AudienceChoices) => ({
  groups: groupsAt(policy.groups, groups),
  people: known.people.filter((one) => policy.people.some(({ id }) => id === one.id)),
  signOnGroups: known.signOnGroups.filter((one) => policy.signOnGroups.some(({ id }) => id === one.id)),
});

const audienceInput = ({ people, signOnGroups }: { people: readonly Named[]; signOnGroups: readonly Named[] }) => ({
  ...(people.length > 0 && { personIds: people.map(idOf) }),
  ...(signOnGroups.length > 0 && { signOnGroupIds: signOnGroups.map(idOf) }),
});

function boundNames({ scope, tags, groups, agents, people, signOnGroups }: Chosen, all: readonly TaggedAgent[]) {
  if (scope === "nobody") return [];
  const ids = new Set([
    ...[...groups, ...people, ...signOnGroups].flatMap((many) => many.agentIds),
    ...agents.map(idOf),
  ]);
  const isBound = (one: TaggedAgent) => ids.has(one.id) || one.tags.some((tag) => tags.includes(tag));
  return all.filter((one) => scope === "workspace" || isBound(one)).map(nameOf);
}

/** The tags in use, and the chosen tags without agents. */
function TagPicks({
  agents,
  picked,
  onPick,
}: {
  agents: readonly TaggedAgent[];
  picked: Picked;
  onPick: (picked: Picked) => void;
}) {
  const tags = [...new Set([...agents.flatMap((agent) => agent.tags), ...picked])].sort();
  if (tags.length === 0) return null;
  const countOf = (tag: string) => agents.filter((agent) => agent.tags.includes(tag)).length;
  const rows = tags.map((tag) => ({ id: tag, name: tag, aside: counted(countOf(tag), "agent") }));
  return <PickList label="Tags" sought="tag" rows={rows} picked={picked} onPick={onPick} />;
}
