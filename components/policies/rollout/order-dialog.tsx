"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useState } from "react";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import { useRefresh } from "@/components/policies/rollout/use-rollout";
import { useTRPC } from "@/components/trpc/client";
import { everyPolicy } from "@/components/trpc/every-page";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine, ErrorState } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Select } from "@/components/ui/select";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { AssignmentTarget, OrderedPolicyView } from "@/server/policies/assignments/assignment-schema";

const WORKSPACE = "workspace";
const OF_ID = ["group", "sign_on_group", "person", "agent"] as const;

/** The order of the policies for the workspace, a tag, a group, a person or an agent. */
export function OrderDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Policy order"
      description="For each agent, policies of the workspace run first, then policies of the agent's tags, of its groups, of its owner, and of the agent. The order decides which rewrite runs first and which reason is shown."
    >
      {open ? <Order onClose={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

function Order({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const groups = useQuery(trpc.agents.groups.queryOptions());
  const policies = useQuery(everyPolicy(trpc));
  const agents = new Map((policies.data ?? []).flatMap((policy) => policy.agents.map(({ id, name }) => [id, name])));
  const named = (of: "people" | "signOnGroups") =>
    new Map((policies.data ?? []).flatMap((policy) => policy[of].map(({ id, name }) => [id, name])));
  const [where, setWhere] = useState(WORKSPACE);
  const target = targetOf(where);
  const tags = [...new Set((policies.data ?? []).flatMap((policy) => policy.tags))].sort();
  const asked = useQuery(trpc.policies.order.queryOptions(target));
  return (
    <div className="flex flex-col gap-4 pb-3">
      <Field label="Of">
        <Select<string>
          value={where}
          onChange={setWhere}
          options={[
            { value: WORKSPACE, label: "The whole workspace" },
            ...tags.map((tag) => ({ value: `tag ${tag}`, label: `Tag ${tag}` })),
            ...(groups.data ?? []).map(({ id, name }) => ({ value: `group ${id}`, label: `Group ${name}` })),
            ...[...named("signOnGroups")].map(([id, name]) => ({
              value: `sign_on_group ${id}`,
              label: `Sign-on group ${name}`,
            })),
            ...[...named("people")].map(([id, name]) => ({ value: `person ${id}`, label: `Agents of ${name}` })),
            ...[...agents].map(([id, name]) => ({ value: `agent ${id}`, label: `Agent ${name}` })),
          ]}
        />
      </Field>
      {asked.error ? (
        <ErrorState
          compact
          title="The policy order could not be loaded"
          reason={failureSentence(asked.error)}
          onRetry={() => void asked.refetch()}
        />
      ) : asked.data === undefined ? (
        <Loading label="the order">
          <SkeletonText lines={3} />
        </Loading>
      ) : (
        <Arranged
          key={`${where} ${asked.data.map(({ id }) => id).join()}`}
          target={target}
          held={asked.data}
          onClose={onClose}
        />
      )}
    </div>
  );
}

/** The target of a choice: its scope, a blank, and an id or a tag, in which there may be blanks. */
function targetOf(where: string): AssignmentTarget {
  const [scope = "", ...rest] = where.split(" ");
  const target = rest.join(" ");
  if (scope === "tag") return { scope, targetId: null, tag: target };
  const known = OF_ID.find((one) => one === scope);
  return known ? { scope: known, targetId: target } : { scope: "workspace", targetId: null };
}

interface ArrangedProps {
  target: AssignmentTarget;
  held: readonly OrderedPolicyView[];
  onClose: () => void;
}

function Arranged({ target, held, onClose }: ArrangedProps) {
  const trpc = useTRPC();
  const renew = useRefresh();
  const [rows, setRows] = useState(held);
  const [told, setTold] = useState("");
  const reorder = useMutation(
    trpc.policies.reorder.mutationOptions({
      ...orSecondPerson("reorder", onClose),
      // An option of the mutation, not of the call: the list is drawn anew when the live update arrives before the answer.
      onSuccess: async () => {
        await renew();
        toast.success("Order saved");
        onClose();
      },
    }),
  );
  const isSame = rows.every((row, index) => row.id === held[index]?.id);
  const move = (from: number, by: -1 | 1) => {
    const to = from + by;
    const row = rows[from];
    if (!row || to < 0 || to >= rows.length) return;
    const next = rows.filter((_, index) => index !== from);
    next.splice(to, 0, row);
    setRows(next);
    setTold(`${row.name} is number ${to + 1} of ${rows.length}`);
  };
  const save = () => reorder.mutate({ ...target, policyIds: rows.map(({ id }) => id) });
  return (
    <>
      {rows.length === 0 ? (
        <p className="text-muted">No assigned policies yet. Assign agents on a policy's page.</p>
      ) : (
        <ol aria-label="Policies in order" className="flex flex-col divide-y divide-line rounded-md border">
          {rows.map((row, index) => (
            <li
              key={row.id}
              className="flex items-center gap-2 px-3 py-1.5"
              onKeyDown={(event) => {
                if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
                event.preventDefault();
                move(index, event.key === "ArrowUp" ? -1 : 1);
              }}
            >
              <span className="w-5 text-faint">{index + 1}</span>
              <span className="min-w-0 flex-1 truncate">
                {row.name}
                {row.isPublished ? "" : " (nothing published yet)"}
              </span>
              <IconButton
                icon={ArrowUp}
                size="sm"
                label={`Move ${row.name} up`}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              />
              <IconButton
                icon={ArrowDown}
                size="sm"
                label={`Move ${row.name} down`}
                disabled={index === rows.length - 1}
                onClick={() => move(index, 1)}
              />
            </li>
          ))}
        </ol>
      )}
      <p aria-live="polite" className="sr-only">
        {told}
      </p>
      {reorder.error ? <ErrorLine>{failureSentence(reorder.error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" disabled={isSame} busy={reorder.isPending} onClick={save}>
          Save order
        </Button>
      </div>
    </>
  );
}
