"use client";

import type { EqualRequests } from "@/components/approvals/equal-requests";
import { actOf, isQuestion, numberOf } from "@/components/approvals/labels";
import { Remaining } from "@/components/approvals/remaining";
import { inputPreview } from "@/components/approvals/waiting-call";
import { Mark } from "@/components/ui/mark";

export interface RequestRowProps {
  group: EqualRequests;
  isSelected: boolean;
  onSelect: () => void;
}

/** One call to answer in the list next to its panel. */
export function RequestRow({ group: { first, all }, isSelected, onSelect }: RequestRowProps) {
  return (
    <li>
      <button
        type="button"
        id={numberOf(first)}
        aria-current={isSelected ? "true" : undefined}
        onClick={onSelect}
        className="inset-focus flex w-full min-w-0 flex-col gap-1 px-3 py-2 text-left hover:bg-hover aria-[current]:bg-selected"
      >
        <span className="flex w-full min-w-0 items-center gap-2">
          <Mark tone="ask" label={first.isWaiting ? "Waiting" : "Retry needed"} look="plain" />
          <span className="truncate font-medium">
            {numberOf(first)} · {first.agentName}
          </span>
          {all.length > 1 ? <span className="shrink-0 text-muted text-sm">{all.length} times</span> : null}
        </span>
        <span className="w-full truncate">
          {actOf(first)}
          {isQuestion(first) ? null : (
            <>
              {": "}
              <code className="text-sm">{inputPreview(first)}</code>
            </>
          )}
        </span>
        <span className="w-full truncate text-muted text-sm">{first.reason}</span>
        <span className="text-muted text-sm">
          <Remaining until={first.expiresAt} isWaiting={first.isWaiting} />
        </span>
      </button>
    </li>
  );
}
