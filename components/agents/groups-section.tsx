"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, Pencil, Plus, Trash2, Users } from "lucide-react";
import { useState } from "react";
import { DisabledWithoutPermission } from "@/components/access/permission";
import { PermittedButton } from "@/components/access/permitted-button";
import { useGroupRefresh } from "@/components/agents/use-group-refresh";
import { ActDialog } from "@/components/layout/act-dialog";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import { StopButton } from "@/components/layout/stop/stop-button";
import { useRequestedAct } from "@/components/layout/use-requested-act";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { GroupView } from "@/server/agents/schema";

const GroupDialog = loadWhenOpened(() => import("@/components/agents/group-dialog").then((one) => one.GroupDialog));

/** Every group in order, with its members and its policies. */
export function GroupsSection() {
  const trpc = useTRPC();
  const groups = useQuery(trpc.agents.groups.queryOptions());
  const [editing, setEditing] = useState<GroupView | "new" | null>(null);
  const [deleting, setDeleting] = useState<GroupView | null>(null);
  const rows = groups.data ?? [];
  const order = useGroupOrder(rows);
  useRequestedAct({ "create-group": () => setEditing("new") });
  const create = (
    <PermittedButton to="agent:write" size="sm" onClick={() => setEditing("new")}>
      <Plus aria-hidden /> New group
    </PermittedButton>
  );
  return (
    <Section
      title="Groups"
      id="groups"
      aside={rows.length > 1 ? "in the order of their policies" : null}
      actions={rows.length > 0 ? create : null}
    >
      {groups.error ? (
        <ErrorState
          compact
          title="The groups could not be loaded"
          reason={failureSentence(groups.error)}
          stillWorks="Saved groups stay, and their policies still apply."
          onRetry={() => void groups.refetch()}
        />
      ) : groups.data === undefined ? (
        <Loading label="the groups">
          <SkeletonText lines={3} />
        </Loading>
      ) : rows.length === 0 ? (
        <EmptyState icon={Users} compact title="No groups yet" action={create}>
          Apply policies to a group of agents, or try a new revision on a group first.
        </EmptyState>
      ) : (
        <GroupList groups={rows} order={order} onEdit={setEditing} onDelete={setDeleting} />
      )}
      {editing === null ? null : (
        <GroupDialog group={editing === "new" ? null : editing} onClose={() => setEditing(null)} />
      )}
      {deleting === null ? null : <DeleteGroup group={deleting} onClose={() => setDeleting(null)} />}
    </Section>
  );
}

interface GroupListProps {
  groups: readonly GroupView[];
  order: ReturnType<typeof useGroupOrder>;
  onEdit: (group: GroupView) => void;
  onDelete: (group: GroupView) => void;
}

function GroupList({ groups, order: { move, isMoving }, onEdit, onDelete }: GroupListProps) {
  return (
    <ol
      aria-label="Groups in order"
      className="flex max-h-64 flex-col divide-y divide-line overflow-y-auto rounded-md border bg-surface"
    >
      {groups.map((group, index) => (
        <li key={group.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
          <span className="min-w-32 font-medium max-sm:flex-1">{group.name}</span>
          <span className="min-w-0 flex-1 text-muted text-sm max-sm:order-last max-sm:basis-full">
            <GroupSummary group={group} />
          </span>
          <StopButton target={{ scope: "group", group }} subject={`the group ${group.name}`} size="sm" />
          <DisabledWithoutPermission to="policy:publish">
            {(isRefused) => (
              <span className="flex items-center">
                <IconButton
                  icon={ArrowUp}
                  size="sm"
                  label={`Move ${group.name} up`}
                  disabled={isRefused || index === 0 || isMoving}
                  onClick={() => void move(index, -1)}
                />
                <IconButton
                  icon={ArrowDown}
                  size="sm"
                  label={`Move ${group.name} down`}
                  disabled={isRefused || index === groups.length - 1 || isMoving}
                  onClick={() => void move(index, 1)}
                />
                <IconButton
                  icon={Pencil}
                  size="sm"
                  label={`Edit ${group.name}`}
                  disabled={isRefused}
                  onClick={() => onEdit(group)}
                />
                <IconButton
                  icon={Trash2}
                  size="sm"
                  label={`Delete ${group.name}`}
                  disabled={isRefused}
                  onClick={() => onDelete(group)}
                />
              </span>
            )}
          </DisabledWithoutPermission>
        </li>
      ))}
    </ol>
  );
}

/** Moves a group up or down by one; the order stays as it was when the server refuses. */
function useGroupOrder(groups: readonly GroupView[]) {
  const trpc = useTRPC();
  const refresh = useGroupRefresh();
  const order = useMutation(trpc.agents.orderGroups.mutationOptions(orSecondPerson("order_groups")));
  const move = async (from: number, by: -1 | 1) => {
    const ids = groups.map(({ id }) => id);
    const [id] = ids.splice(from, 1);
    if (id === undefined) return;
    ids.splice(from + by, 0, id);
    try {
      await order.mutateAsync({ groupIds: ids });
      await refresh();
    } catch (error) {
      toast.error("Couldn't change the order of the groups", { description: failureSentence(error) });
    }
  };
  return { move, isMoving: order.isPending };
}

function DeleteGroup({ group, onClose }: { group: GroupView; onClose: () => void }) {
  const trpc = useTRPC();
  const refresh = useGroupRefresh();
  return (
    <ActDialog
      mutation={trpc.agents.deleteGroup.mutationOptions()}
      input={{ groupId: group.id }}
      onClose={onClose}
      title={`Delete the group ${group.name}?`}
      confirm="Delete group"
      onDone={refresh}
    >
      <p>
        {group.policies.length > 0
          ? `Used by ${group.policies.map(({ name }) => name).join(", ")}. Remove the group from these policies first.`
          : `${plural(group.agentIds.length, "agent")} ${group.agentIds.length === 1 ? "leaves" : "leave"} the group and ${group.agentIds.length === 1 ? "stays" : "stay"} enrolled. No policy uses the group, so no rules change.`}
      </p>
    </ActDialog>
  );
}

/** The number of agents, the name pattern and the assigned policies. */
function GroupSummary({ group: { agentIds, namePattern, policies } }: { group: GroupView }) {
  return (
    <>
      {plural(agentIds.length, "agent")}
      {namePattern === null ? null : (
        <>
          {" named "}
          <code className="break-words">{namePattern}</code>
        </>
      )}
      {policies.length === 0 ? ", no policy is applied to it" : ": "}
      {policies.map(({ id, name, isCanary }, place) => (
        <span key={`${id} ${isCanary}`}>
          {place > 0 ? ", " : ""}
          <Link className="link" href={`/policies/${id}`}>
            {name}
          </Link>
          {isCanary ? " (canary)" : ""}
        </span>
      ))}
    </>
  );
}
