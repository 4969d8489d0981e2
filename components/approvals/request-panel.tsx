"use client";

import { useRef, useState } from "react";
import { ApprovalCard } from "@/components/approvals/approval-card";
import type { EqualRequests } from "@/components/approvals/equal-requests";
import { numberOf } from "@/components/approvals/labels";
import { RequestRow } from "@/components/approvals/request-row";
import { Button } from "@/components/ui/button";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { Kbd } from "@/components/ui/kbd";

export interface RequestPanelProps {
  /** At least one. */
  groups: readonly EqualRequests[];
  onAlways: (group: EqualRequests) => void;
}

/** Calls to answer as rows, with the selected one whole in a panel next to them. */
export function RequestPanel({ groups, onAlways }: RequestPanelProps) {
  const { list, selected, key, select, step } = useSelection(groups);
  return (
    <div className="grid grid-cols-[minmax(280px,2fr)_minmax(0,3fr)] items-start gap-4">
      <ul
        ref={list}
        aria-label="Calls to answer"
        className="sticky top-0 flex max-h-[calc(100dvh-9rem)] flex-col divide-y divide-line overflow-y-auto rounded-md border bg-surface"
      >
        {groups.map((group) => (
          <RequestRow
            key={group.first.id}
            group={group}
            isSelected={group === selected}
            onSelect={() => select(group)}
          />
        ))}
      </ul>
      {selected ? (
        <ApprovalCard
          key={key}
          as="section"
          request={selected.first}
          all={selected.all}
          onAlways={() => onAlways(selected)}
          hasKeys
        />
      ) : (
        <Closed onNext={() => step(1)} />
      )}
    </div>
  );
}

/** The place of a request that was answered or expired. The next one is opened by a press, so that no key answers it unread. */
function Closed({ onNext }: { onNext: () => void }) {
  return (
    <section aria-label="No call selected" className="flex flex-col items-start gap-3 rounded-md border bg-surface p-4">
      <p className="text-muted">A person answered this call, or its time ran out.</p>
      <Button onClick={onNext}>
        Show the next waiting call
        <span aria-hidden className="inline-flex">
          <Kbd keys="j" />
        </span>
      </Button>
    </section>
  );
}

const GROUP = { group: "Calls to answer" };

/** The selected request, and its row. It stays selected until the reader selects another one. */
function useSelection(groups: readonly EqualRequests[]) {
  const list = useRef<HTMLUListElement>(null);
  const [chosen, setChosen] = useState(() => choiceOf(linked(groups), groups));
  const selected = groups.find(({ all }) => all.some(({ id }) => chosen.ids.includes(id)));
  const select = (group: EqualRequests) => setChosen(choiceOf(group, groups));
  const step = (by: number) => {
    // Without a selected row, the next one has moved up to its position.
    const at = selected ? groups.indexOf(selected) + by : chosen.at + Math.min(by, 0);
    const next = groups[Math.max(0, Math.min(groups.length - 1, at))];
    if (next === undefined) return;
    select(next);
    list.current?.querySelector<HTMLElement>(`#${numberOf(next.first)}`)?.focus();
  };
  useHotkey("j", () => step(1), { label: "Next call", ...GROUP });
  useHotkey("k", () => step(-1), { label: "Previous call", ...GROUP });
  return { list, selected, key: chosen.ids[0], select, step };
}

interface Choice {
  readonly ids: readonly string[];
  /** The position of its row. */
  readonly at: number;
}

const choiceOf = (group: EqualRequests | undefined, groups: readonly EqualRequests[]): Choice => ({
  ids: group?.all.map(({ id }) => id) ?? [],
  at: group === undefined ? 0 : groups.indexOf(group),
});

/** The request in the address, `#QD-42`; else the first. */
function linked(groups: readonly EqualRequests[]): EqualRequests | undefined {
  const name = typeof window === "undefined" ? "" : window.location.hash.slice(1);
  return groups.find(({ all }) => all.some((one) => numberOf(one) === name)) ?? groups[0];
}
