"use client";

import { ListFilter } from "lucide-react";
import { useState } from "react";
import { sourceLabel } from "@/components/decisions/labels";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { type Filter, valuesOf, withoutTerm, withTerm } from "@/components/ui/filter/filter-text";
import { formatCount } from "@/components/ui/format/count";
import { Skeleton } from "@/components/ui/skeleton";
import type { CallFacet, CallFacets } from "@/server/decisions/schema";

const SECTIONS = [
  { facet: "policy", title: "Policy" },
  { facet: "rule", title: "Rule" },
  { facet: "group", title: "Group" },
  { facet: "agent", title: "Agent" },
  { facet: "tool", title: "Tool" },
  { facet: "source", title: "Source" },
] as const satisfies readonly { facet: CallFacet; title: string }[];

export interface FacetRailProps {
  facets: CallFacets | undefined;
  /** True while the shown counts belong to the previous filter. */
  isCounting: boolean;
  filter: Filter;
  onFilter: (next: Filter) => void;
}

/**
 * The filter fields, with the number of calls of each value. A wide page shows them next to the list, a narrow one
 * behind a button.
 */
export function FacetRail(props: FacetRailProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <aside aria-label="Filters" className="w-44 shrink-0 overflow-y-auto pr-1 max-xl:hidden">
        <Sections {...props} />
      </aside>
      <div className="shrink-0 xl:hidden">
        <Button size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <ListFilter aria-hidden />
          Filters
        </Button>
        {isOpen ? (
          <section aria-label="Filters" className="mt-2 max-h-72 overflow-y-auto rounded-md border bg-surface p-3">
            <Sections {...props} />
          </section>
        ) : null}
      </div>
    </>
  );
}

function Sections({ facets, isCounting, filter, onFilter }: FacetRailProps) {
  return (
    <div
      aria-busy={isCounting || undefined}
      className={cn("grid gap-4 max-xl:sm:grid-cols-3", isCounting && "opacity-40")}
    >
      {SECTIONS.map(({ facet, title }) => (
        <section key={facet} aria-label={title} className="min-w-0">
          <h2 className="pb-1 font-medium text-muted text-xs">{title}</h2>
          {facets === undefined ? (
            <Skeleton className="h-16" />
          ) : (
            <Values facet={facet} facets={facets} filter={filter} onFilter={onFilter} />
          )}
        </section>
      ))}
    </div>
  );
}

const SHOWN = 6;

interface ValuesProps extends Omit<FacetRailProps, "isCounting"> {
  facet: CallFacet;
  facets: CallFacets;
}

function Values({ facet, facets, filter, onFilter }: ValuesProps) {
  const [isWhole, setWhole] = useState(false);
  const chosen = valuesOf(filter, facet);
  const counted = facets.values[facet];
  // A chosen value stays, so that it can be taken back.
  const gone = chosen.filter((value) => !counted.some((each) => each.value === value));
  const all = [...gone.map((value) => ({ value, count: 0 })), ...counted];
  const shown = isWhole ? all : all.filter(({ value }, index) => index < SHOWN || chosen.includes(value));
  if (all.length === 0) return <p className="px-2 text-muted text-sm">None</p>;
  return (
    <>
      <ul>
        {shown.map(({ value, count }) => {
          const isChosen = chosen.includes(value);
          const term = { key: facet, value };
          return (
            <li key={value}>
              <button
                type="button"
                aria-pressed={isChosen}
                onClick={() => onFilter(isChosen ? withoutTerm(filter, term) : withTerm(filter, term))}
                className={cn(
                  "inset-focus flex min-h-6 w-full items-center gap-2 rounded-sm px-2 text-left text-sm hover:bg-hover max-sm:min-h-10",
                  isChosen && "bg-selected font-medium",
                )}
              >
                <span className="min-w-0 flex-1 truncate" title={value}>
                  {facet === "source" ? sourceLabel(value) : value}
                </span>
                <span className="text-muted">{`${formatCount(count)}${facets.isWhole ? "" : "+"}`}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {all.length > SHOWN ? (
        <Button size="sm" variant="ghost" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show ${all.length - SHOWN} more`}
        </Button>
      ) : null}
    </>
  );
}
