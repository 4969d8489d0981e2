"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import { type Picked, PickList } from "@/components/policies/rollout/pick-list";
import { useTRPC } from "@/components/trpc/client";
import { everyAgent } from "@/components/trpc/every-page";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Link } from "@/components/ui/link";
import type { PackView } from "@/server/packs/schema";

interface InstallPackDialogProps {
  pack: PackView | null;
  onClose: () => void;
}

const CHOICES = [
  {
    scope: "later",
    label: "Decide later",
    help: "The draft applies to no agent. If you publish it without choosing agents, it applies to the whole workspace.",
  },
  { scope: "chosen", label: "Chosen groups and agents", help: "The policy applies when you publish it." },
  { scope: "workspace", label: "The whole workspace", help: "The policy applies to every agent when you publish it." },
] as const;
type Choice = (typeof CHOICES)[number]["scope"];

/** Makes a draft of the pack, for the agents that a person chooses. Nothing is in force before it is published. */
export function InstallPackDialog({ pack, onClose }: InstallPackDialogProps) {
  return (
    <Dialog
      open={pack !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={`Install ${pack?.title ?? ""}`}
      description="Creates a draft. The pack takes effect when you publish the draft."
    >
      {pack ? <Form pack={pack} onClose={onClose} /> : null}
    </Dialog>
  );
}

function useInstall(pack: PackView) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const install = useMutation(trpc.packs.install.mutationOptions());
  const assign = useMutation(trpc.policies.assign.mutationOptions(orSecondPerson("assign")));
  const act = async (scope: Choice, groupIds: string[], agentIds: string[]) => {
    const { policyId } = install.data ?? (await install.mutateAsync({ packId: pack.id }));
    if (scope !== "later") await assign.mutateAsync({ policyId, scope, groupIds, agentIds });
    await queries.invalidateQueries({ queryKey: trpc.packs.list.queryKey() });
    await queries.invalidateQueries({ queryKey: trpc.policies.pathKey() });
    router.push(`/policies/${policyId}`);
  };
  return { act, error: install.error ?? assign.error, isBusy: install.isPending || assign.isPending };
}

function Form({ pack, onClose }: { pack: PackView; onClose: () => void }) {
  const trpc = useTRPC();
  const name = useId();
  const [scope, setScope] = useState<Choice>("later");
  const [groupIds, setGroupIds] = useState<Picked>(new Set());
  const [agentIds, setAgentIds] = useState<Picked>(new Set());
  const groups = useQuery(trpc.agents.groups.queryOptions());
  const agents = useQuery(everyAgent(trpc));
  const { act, error, isBusy } = useInstall(pack);
  const isNobody = scope === "chosen" && groupIds.size + agentIds.size === 0;
  const save = () => {
    const isChosen = scope === "chosen";
    // The failure is shown by the mutation's own state.
    act(scope, isChosen ? [...groupIds] : [], isChosen ? [...agentIds] : []).catch(() => undefined);
  };
  return (
    <div className="flex flex-col gap-4 pb-3">
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium text-sm">Applies to</legend>
        {CHOICES.map((choice) => (
          <label key={choice.scope} className="flex cursor-pointer items-start gap-2">
            <input
              type="radio"
              name={name}
              className="mt-1 accent-accent"
              checked={scope === choice.scope}
              onChange={() => setScope(choice.scope)}
            />
            <span>
              {choice.label}
              <span className="block text-muted text-sm">{choice.help}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {scope === "chosen" ? (
        <div className="grid gap-4 sm:grid-cols-2">
          {groups.data && groups.data.length > 0 ? (
            <PickList
              label="Groups"
              sought="group"
              rows={groups.data.map((group) => ({ id: group.id, name: group.name, aside: `${group.agentIds.length}` }))}
              picked={groupIds}
              onPick={setGroupIds}
            />
          ) : groups.data ? (
            <p className="text-muted text-sm">
              No groups yet.{" "}
              <Link className="link" href="/agents">
                Create a group on the Agents page
              </Link>{" "}
              to apply a policy to a team.
            </p>
          ) : null}
          {agents.data && agents.data.length > 0 ? (
            <PickList label="Agents" sought="agent" rows={agents.data} picked={agentIds} onPick={setAgentIds} />
          ) : (
            <p className="text-muted">No agent is enrolled yet.</p>
          )}
        </div>
      ) : null}
      {error ? <ErrorLine>{failureSentence(error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" busy={isBusy} disabled={isNobody} onClick={save}>
          Create draft
        </Button>
      </div>
    </div>
  );
}
