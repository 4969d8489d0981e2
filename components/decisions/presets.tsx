"use client";

import { useQuery } from "@tanstack/react-query";
import { useCallsHref } from "@/components/decisions/approval-sources/calls-href";
import { useTRPC } from "@/components/trpc/client";
import { cn } from "@/components/ui/cn";
import type { Filter, FilterTerm } from "@/components/ui/filter/filter-text";
import { Link } from "@/components/ui/link";
import type { DecisionOutcome } from "@/server/decisions/call-outcome-schema";

const PRESETS = [
  ["denied", "Denied"],
  ["waiting", "Waiting"],
  ["no_rule_ran", "No rule ran"],
  ["overturned", "Overturned"],
  ["denied_but_ran", "Ran though denied"],
] as const satisfies readonly (readonly [DecisionOutcome, string])[];

interface Preset {
  readonly label: string;
  readonly term: FilterTerm;
}

/** The filters that are used most, as links; the one in use leads back to all calls. */
export function Presets({ filter }: { filter: Filter }) {
  const href = useCallsHref();
  const { data: me } = useQuery(useTRPC().access.me.queryOptions());
  const presets: Preset[] = [
    ...PRESETS.map(([value, label]) => ({ label, term: { key: "outcome", value } })),
    { label: "Commented", term: { key: "has", value: "comments" } },
    ...(me?.kind === "person" ? [{ label: "Assigned to me", term: { key: "assignee", value: me.name } }] : []),
  ];
  const isOnly = (term: FilterTerm) =>
    filter.text === "" &&
    filter.terms.length === 1 &&
    filter.terms.every(({ key, value }) => key === term.key && value === term.value);
  return (
    <nav aria-label="Presets" className="flex max-w-full items-center gap-1 overflow-x-auto [scrollbar-width:none]">
      {presets.map(({ label, term }) => {
        const isChosen = isOnly(term);
        return (
          <Link
            key={label}
            href={href(isChosen ? [] : [term])}
            aria-current={isChosen ? "true" : undefined}
            className={cn(
              "inline-flex h-6 shrink-0 items-center rounded-full border px-2.5 text-sm max-sm:h-9",
              isChosen
                ? "border-accent-line bg-accent-soft font-medium text-accent-text"
                : "border-line text-muted hover:bg-hover hover:text-text",
            )}
          >
            {label}
          </Link>
        );
      })}
    </nav>
  );
}
