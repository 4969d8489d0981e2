"use client";

import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { PolicyTargets } from "@/components/layout/put-in-force/use-put-in-force";
import { type Picked, PickList } from "@/components/policies/rollout/pick-list";
import { useTRPC } from "@/components/trpc/client";
import { everyAgent } from "@/components/trpc/every-page";
import { Link } from "@/components/ui/link";

const CHOICES = [
  { scope: "chosen", label: "Chosen tags, groups and agents", help: "" },
  {
    scope: "workspace",
    label: "The whole workspace",
    help: "The policy applies to every agent, including agents enrolled later.",
  },
  {
    scope: "later",
    label: "Decide later",
    help: "The draft applies to no agent. If you publish the draft without choosing agents, the policy applies to the whole workspace.",
  },
] as const;
export type Choice = (typeof CHOICES)[number]["scope"];

/** The agents that a new policy is for, while a person chooses them. */
export function useTargets() {
  const trpc = useTRPC();
  const groups = useQuery(trpc.agents.groups.queryOptions());
  const agents = useQuery(everyAgent(trpc));
  const [choice, choose] = useState<Choice | null>(null);
  const [groupIds, pickGroups] = useState<Picked>(new Set());
  const [tags, pickTags] = useState<Picked>(new Set());
  const [agentIds, pickAgents] = useState<Picked>(new Set());
  const isEmpty = agents.data?.length === 0 && groups.data?.length === 0;
  const scope = choice ?? (isEmpty ? "later" : "chosen");
  const picked = scope === "chosen" ? { tags: [...tags], groupIds: [...groupIds], agentIds: [...agentIds] } : {};
  const chosen: PolicyTargets & { readonly scope: Choice } = { scope, ...picked };
  return {
    chosen,
    isNobody: scope === "chosen" && tags.size + groupIds.size + agentIds.size === 0,
    ...{ choose, tags, pickTags, groups: groups.data, groupIds, pickGroups },
    ...{ agents: agents.data, agentIds, pickAgents },
  };
}

/** The choice of the agents, with their lists in place. */
export function TargetChoice({ targets }: { targets: ReturnType<typeof useTargets> }) {
  const name = useId();
  const { chosen, choose } = targets;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium text-sm">Applies to</legend>
      {CHOICES.map(({ scope, label, help }) => (
        <div key={scope} className="flex flex-col gap-2">
          <label className="flex cursor-pointer items-start gap-2">
            <input
              type="radio"
              name={name}
              className="mt-1 accent-accent"
              checked={chosen.scope === scope}
              onChange={() => choose(scope)}
            />
            <span>
              {label}
              {help === "" ? null : <span className="block text-muted text-sm">{help}</span>}
            </span>
          </label>
          {scope === "chosen" && chosen.scope === "chosen" ? <Lists targets={targets} /> : null}
        </div>
      ))}
    </fieldset>
  );
}

function Lists({ targets }: { targets: ReturnType<typeof useTargets> }) {
  const { tags, pickTags, groups, groupIds, pickGroups, agents, agentIds, pickAgents } = targets;
  const known = [...new Set((agents ?? []).flatMap((agent) => agent.tags))].sort();
  return (
    <div className="grid gap-4 pl-5 sm:grid-cols-2">
      {groups && groups.length > 0 ? (
        <PickList
          label="Groups"
          sought="group"
          rows={groups.map((group) => ({ id: group.id, name: group.name, aside: `${group.agentIds.length}` }))}
          picked={groupIds}
          onPick={pickGroups}
        />
      ) : groups ? (
        <p className="text-muted text-sm">
          No groups yet.{" "}
          <Link className="link" href="/agents">
            Create a group on the Agents page
          </Link>{" "}
          to apply a policy to a team.
        </p>
      ) : null}
      {agents && agents.length > 0 ? (
        <PickList label="Agents" sought="agent" rows={agents} picked={agentIds} onPick={pickAgents} />
      ) : agents ? (
        <p className="text-muted text-sm">No agent is enrolled yet.</p>
      ) : null}
      {known.length > 0 ? (
        <PickList
          label="Tags"
          sought="tag"
          rows={known.map((tag) => ({ id: tag, name: tag }))}
          picked={tags}
          onPick={pickTags}
        />
      ) : null}
    </div>
  );
}
