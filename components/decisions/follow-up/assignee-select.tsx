"use client";

import { useId } from "react";
import { usePermission } from "@/components/access/permission";
import { usePeople } from "@/components/decisions/follow-up/use-people";
import { Missing } from "@/components/ui/format/missing";
import { Select } from "@/components/ui/select";
import type { FollowUpView } from "@/server/follow-ups/schema";

const UNASSIGNED = "none";

export interface AssigneeSelectProps {
  assignee: FollowUpView["assignee"];
  disabled: boolean;
  onChange: (assigneeId: string | null) => void;
}

/** The person who follows the call up. Readers without the permission see the name. */
export function AssigneeSelect({ assignee, disabled, onChange }: AssigneeSelectProps) {
  const id = useId();
  const { isGranted } = usePermission("call:follow-up");
  const people = usePeople(isGranted);
  if (!isGranted)
    return (
      <p>
        <span className="text-muted">Assigned to</span> {assignee?.name ?? <Missing reason="Unassigned." />}
      </p>
    );
  const isListed = assignee === null || people.some((one) => one.id === assignee.id);
  const options = [
    { value: UNASSIGNED, label: "Unassigned" },
    ...people.map((one) => ({ value: one.id, label: one.name })),
    // A former member stays shown until someone else is chosen.
    ...(isListed ? [] : [{ value: assignee.id, label: assignee.name, disabled: true }]),
  ];
  return (
    <span className="flex items-center gap-2">
      <label htmlFor={id} className="text-muted">
        Assigned to
      </label>
      <Select
        id={id}
        size="sm"
        value={assignee?.id ?? UNASSIGNED}
        options={options}
        disabled={disabled}
        onChange={(next) => onChange(next === UNASSIGNED ? null : next)}
      />
    </span>
  );
}
