"use client";

import { useQuery } from "@tanstack/react-query";
import { NOT_DRILLED_LATELY } from "@/components/agents/drill-text";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { type Filter, type FilterTerm, printTerm, withoutTerm, withTerm } from "@/components/ui/filter/filter-text";
import { formatCount } from "@/components/ui/format/count";
import { type Tone, toneLook } from "@/components/ui/tone";
import type { AgentCounts } from "@/server/agents/schema";

interface Chip {
  readonly count: number;
  readonly word: string;
  readonly tone: Tone;
  readonly term: FilterTerm;
}

const chipsOf = (counts: AgentCounts): readonly Chip[] => [
  { count: counts.withoutPolicy, word: "without policy", tone: "deny", term: { key: "policy", value: "none" } },
  { count: counts.observedOnly, word: "observed only", tone: "observe", term: { key: "policy", value: "observed" } },
  { count: counts.yolo, word: "in yolo", tone: "deny", term: { key: "posture", value: "yolo" } },
  { count: counts.outdated, word: "outdated", tone: "deny", term: { key: "posture", value: "outdated" } },
  { count: counts.unchecked, word: "answers unchecked", tone: "ask", term: { key: "posture", value: "unchecked" } },
  { count: counts.silent, word: "silent over 1 h", tone: "ask", term: { key: "status", value: "silent" } },
  {
    count: counts.neverSeen,
    word: "waiting for first session",
    tone: "unknown",
    term: { key: "status", value: "never" },
  },
  {
    ...{ count: counts.blindSpots, word: "with actions no hook sees", tone: "unknown" },
    term: { key: "posture", value: "blind_spots" },
  },
  {
    ...{ count: counts.undrilled, word: NOT_DRILLED_LATELY, tone: "unknown" },
    term: { key: "posture", value: "undrilled" },
  },
  { count: counts.retired, word: "retired", tone: "canceled", term: { key: "status", value: "retired" } },
];

/** Workspace counts that may need action. Each chip filters the list. */
export function CountChips({ filter, onFilter }: { filter: Filter; onFilter: (next: Filter) => void }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.agents.counts.queryOptions());
  if (data === undefined || data.enrolled + data.retired === 0) return null;
  const isOn = (term: FilterTerm) => filter.terms.some((each) => printTerm(each) === printTerm(term));
  const shown = chipsOf(data).filter(({ count, term }) => count > 0 || isOn(term));
  return (
    <section aria-label="Counts" className="flex flex-wrap items-center gap-1.5 pb-2">
      <span className="mr-1 text-muted text-sm">{formatCount(data.enrolled)} enrolled</span>
      {shown.map(({ count, word, tone, term }) => {
        const { icon: Icon, text } = toneLook[tone];
        return (
          <Button
            key={word}
            size="sm"
            aria-pressed={isOn(term)}
            className={isOn(term) ? "border-accent bg-accent-soft" : ""}
            onClick={() => onFilter(isOn(term) ? withoutTerm(filter, term) : withTerm(filter, term))}
          >
            <Icon aria-hidden className={text} /> {formatCount(count)} {word}
          </Button>
        );
      })}
    </section>
  );
}
