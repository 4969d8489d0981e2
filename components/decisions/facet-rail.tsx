"use client";

import { ListFilter, PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { type FocusEvent, type PointerEvent, useState } from "react";
import { sourceLabel } from "@/components/decisions/labels";
import { usePrincipals } from "@/components/principals/use-principals";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { type Filter, valuesOf, withoutTerm, withTerm } from "@/components/ui/filter/filter-text";
import { formatCount } from "@/components/ui/format/count";
import { IconButton } from "@/components/ui/icon-button";
import { Skeleton } from "@/components/ui/skeleton";
import { useLocalStorage } from "@/components/ui/use-local-storage";
import type { CallFacet, CallFacets } from "@/server/decisions/schema";

const SECTIONS = [
  { facet: "policy", title: "Policy" },
  { facet: "rule", title: "Rule" },
  { facet: "group", title: "Group" },
  { facet: "agent", title: "Agent" },
  { facet: "person", title: "Person" },
  { facet: "tool", title: "Tool" },
  { facet: "source", title: "Source" },
] as const satisfies readonly { facet: CallFacet; title: string }[];

export interface FacetRailProps {
  facets: CallFacets | undefined;
  /** True if the values could not be read. */
  isMissing: boolean;
  /** True while the shown counts belong to the previous filter. */
  isCounting: boolean;
  /** `every 5 seconds`; null where the counts do not change. */
  pace: string | null;
  filter: Filter;
  onFilter: (next: Filter) => void;
}

const isBoolean = (stored: unknown): stored is boolean => typeof stored === "boolean";

/**
 * The filter fields, with the number of calls of each value. A wide page shows them next to the list, where they fold;
 * a narrow one behind a button.
 */
export function FacetRail(props: FacetRailProps) {
  const [isOpen, setOpen] = useState(false);
  const [isFolded, setFolded] = useLocalStorage("calls.facets.folded", false, isBoolean);
  return (
    <>
      <aside
        aria-label="Filters"
        className={cn("shrink-0 overflow-y-auto max-xl:hidden", isFolded ? "w-8" : "w-44 pr-1")}
      >
        <div className="flex h-7 items-center justify-between">
          {isFolded ? null : <span className="pl-2 font-medium text-muted text-xs">Filters</span>}
          <IconButton
            icon={isFolded ? PanelLeftOpen : PanelLeftClose}
            label={isFolded ? "Show the filters" : "Fold the filters"}
            aria-expanded={!isFolded}
            size="sm"
            onClick={() => setFolded(!isFolded)}
          />
        </div>
        {isFolded ? null : <Sections {...props} />}
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

function Sections({ facets, isMissing, isCounting, pace, filter, onFilter }: FacetRailProps) {
  const { orders, hold } = useSteadyOrder(facets);
  const shown = SECTIONS.filter(({ facet }) => facets === undefined || hasValues(facets, filter, facet));
  if (isMissing) return <p className="px-2 text-muted text-sm">The filter values could not be loaded</p>;
  if (shown.length === 0) return <p className="px-2 text-muted text-sm">No values to filter by in this range</p>;
  return (
    <div
      {...hold}
      aria-busy={isCounting || undefined}
      className={cn("grid gap-4 max-xl:sm:grid-cols-3", isCounting && "opacity-40")}
    >
      {pace === null ? null : <p className="px-2 text-faint text-xs max-xl:col-span-full">Counts update {pace}.</p>}
      {shown.map(({ facet, title }) => (
        <section key={facet} aria-label={title} className="min-w-0">
          <h2 className="pb-1 font-medium text-muted text-xs">{title}</h2>
          {facets === undefined ? (
            <Skeleton className="h-16" />
          ) : (
            <Values {...{ facet, facets, filter, onFilter }} order={orders?.[facet]} />
          )}
        </section>
      ))}
    </div>
  );
}

/** A chosen value stays, so that it can be taken back. */
const hasValues = (facets: CallFacets, filter: Filter, facet: CallFacet): boolean =>
  facets.values[facet].length > 0 || valuesOf(filter, facet).length > 0;

type Orders = Partial<Record<CallFacet, readonly string[]>>;

/** The order of the values stays while the pointer or the focus is among them; their counts follow. */
function useSteadyOrder(facets: CallFacets | undefined) {
  const [orders, setOrders] = useState<Orders | null>(null);
  const keep = () => {
    if (orders !== null || facets === undefined) return;
    setOrders(Object.fromEntries(SECTIONS.map(({ facet }) => [facet, facets.values[facet].map(({ value }) => value)])));
  };
  const hold = {
    onPointerEnter: ({ pointerType }: PointerEvent) => pointerType !== "touch" && keep(),
    onPointerLeave: () => setOrders(null),
    onFocus: keep,
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOrders(null);
    },
  };
  return { orders, hold };
}

/** Values in this order first; new ones after them. */
function inOrder<One extends { readonly value: string }>(all: readonly One[], order: readonly string[] | undefined) {
  if (order === undefined) return all;
  const placeOf = new Map(order.map((value, place) => [value, place]));
  return all.toSorted((a, b) => (placeOf.get(a.value) ?? order.length) - (placeOf.get(b.value) ?? order.length));
}

const SHOWN = 6;

interface ValuesProps extends Omit<FacetRailProps, "isCounting" | "isMissing" | "pace"> {
  facet: CallFacet;
  facets: CallFacets;
  order: readonly string[] | undefined;
}

function Values({ facet, facets, filter, onFilter, order }: ValuesProps) {
  const [isWhole, setWhole] = useState(false);
  const { nameOf } = usePrincipals();
  const labelOf = (value: string) =>
    facet === "source" ? sourceLabel(value) : facet === "person" ? nameOf(value) : value;
  const chosen = valuesOf(filter, facet);
  const counted = facets.values[facet];
  // A chosen value stays, so that it can be taken back.
  const gone = chosen.filter((value) => !counted.some((each) => each.value === value));
  const all = inOrder([...gone.map((value) => ({ value, count: 0 })), ...counted], order);
  const shown = isWhole ? all : all.filter(({ value }, index) => index < SHOWN || chosen.includes(value));
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
                <span className="min-w-0 flex-1 truncate" title={labelOf(value)}>
                  {labelOf(value)}
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
