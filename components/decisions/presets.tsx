"use client";

import { useCallsHref } from "@/components/decisions/approval-sources/calls-href";
import { cn } from "@/components/ui/cn";
import type { Filter } from "@/components/ui/filter/filter-text";
import { Link } from "@/components/ui/link";
import type { DecisionOutcome } from "@/server/decisions/call-outcome-schema";

const PRESETS = [
  ["denied", "Denied"],
  ["waiting", "Waiting"],
  ["no_rule_ran", "No rule ran"],
  ["overturned", "Overturned"],
  ["denied_but_ran", "Ran though denied"],
] as const satisfies readonly (readonly [DecisionOutcome, string])[];

/** The filters that are used most, as links; the one in use leads back to all calls. */
export function Presets({ filter }: { filter: Filter }) {
  const href = useCallsHref();
  const isOnly = (outcome: string) =>
    filter.text === "" &&
    filter.terms.length === 1 &&
    filter.terms.every(({ key, value }) => key === "outcome" && value === outcome);
  return (
    <nav aria-label="Presets" className="flex max-w-full items-center gap-1 overflow-x-auto [scrollbar-width:none]">
      {PRESETS.map(([outcome, label]) => {
        const isChosen = isOnly(outcome);
        return (
          <Link
            key={outcome}
            href={href(isChosen ? [] : [{ key: "outcome", value: outcome }])}
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
