"use client";

import { Ellipsis } from "lucide-react";
import { usePermission } from "@/components/access/permission";
import { EventTitle } from "@/components/layout/event-title";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { IconButton } from "@/components/ui/icon-button";
import { Mark } from "@/components/ui/mark";
import { Menu } from "@/components/ui/menu";
import type { CaseView } from "@/server/playground/schema";

type OnCase = (one: CaseView) => void;

interface CaseListProps {
  cases: readonly CaseView[];
  onOpen: OnCase;
  onEdit: OnCase;
  onDuplicate: OnCase;
  onDelete: OnCase;
}

/** The test cases of a policy: how each ran last, and what can be done with it. */
export function CaseList({ cases, onOpen, onEdit, onDuplicate, onDelete }: CaseListProps) {
  const isRefused = !usePermission("policy:write").isGranted;
  return (
    <ul aria-label="Test cases" className="flex flex-col overflow-hidden rounded-md border">
      {cases.map((one) => (
        <li key={one.id} className="flex items-start gap-3 border-line px-3 py-2 not-first:border-t">
          <State one={one} />
          <CaseSummary one={one} onEdit={onEdit} />
          <Menu
            trigger={<IconButton icon={Ellipsis} label={`More about ${one.name}`} size="sm" />}
            items={[
              { label: "Replay in playground", onSelect: () => onOpen(one) },
              { label: "Edit", onSelect: () => onEdit(one) },
              { label: "Duplicate", disabled: isRefused, onSelect: () => onDuplicate(one) },
              { kind: "separator" },
              { label: "Delete…", danger: true, disabled: isRefused, onSelect: () => onDelete(one) },
            ]}
          />
        </li>
      ))}
    </ul>
  );
}

function CaseSummary({ one, onEdit }: { one: CaseView; onEdit: OnCase }) {
  return (
    <div className="min-w-0 flex-1">
      <button type="button" className="link text-left font-medium" onClick={() => onEdit(one)}>
        {one.name}
      </button>
      <p className="text-muted text-sm">
        <EventTitle event={one.event} /> · by {one.createdBy}
        {one.isMasked ? " · secrets masked" : ""}
        {one.last ? (
          <>
            {" · ran "}
            <RelativeTime at={one.last.at} />
          </>
        ) : null}
      </p>
      {one.last?.differs.map((difference) => (
        <p key={difference} className="break-words text-deny text-sm">
          {difference}
        </p>
      ))}
    </div>
  );
}

function State({ one: { last } }: { one: CaseView }) {
  if (!last) return <Mark tone="unknown" label="Not run" />;
  return last.passed ? <Mark tone="allow" label="Passed" /> : <Mark tone="deny" label="Failed" />;
}
