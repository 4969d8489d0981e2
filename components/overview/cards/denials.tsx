"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { BarList } from "@/components/charts/bar-list";
import { type CardProps, withRange } from "@/components/overview/cards/card-props";
import { ListCard } from "@/components/overview/cards/list-card";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { printTerm } from "@/components/ui/filter/filter-text";
import { formatCount } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { toneLook } from "@/components/ui/tone";
import { type DecisionView, reasonParts, sourceWords } from "@/server/decisions/schema";
import { DENIALS_COUNTED_MAX, type TopDenied } from "@/server/overview/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

/** The newest denied calls with the reason; each opens its drawer. */
export function NewestDenials({ range, input, during }: CardProps) {
  const trpc = useTRPC();
  const denials = useQuery({ ...trpc.overview.recentDenials.queryOptions(input), placeholderData: keepPreviousData });
  const all = withRange("/activity?q=outcome:denied", range.text);
  return (
    <ListCard
      title="Newest denials"
      actions={
        <Link className="link text-sm" href={all}>
          All denials
        </Link>
      }
      query={denials}
    >
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState icon={ShieldCheck} compact title={`No call was denied ${during}`} />
        ) : (
          <ul>
            {rows.map((row) => (
              <Denial key={eventKeyText(row)} row={row} href={`${all}&open=${eventKeyText(row)}`} />
            ))}
          </ul>
        )
      }
    </ListCard>
  );
}

function Denial({ row, href }: { row: DecisionView; href: string }) {
  return (
    <li className="border-line not-first:border-t">
      <Link href={href} className="inset-focus flex flex-col gap-0.5 px-4 py-2 hover:bg-hover">
        <span className="flex min-w-0 items-center gap-2">
          <Mark tone="deny" label="Denied" look="plain" />
          <code className="max-w-40 shrink-0 truncate text-muted">{row.tool}</code>
          <code className="min-w-0 flex-1 truncate">{row.excerpt.replace(/\s+/g, " ")}</code>
          <RelativeTime at={row.occurredAt} className="shrink-0 text-faint text-sm" />
        </span>
        <span className="truncate text-muted text-sm">
          {row.agentName} · <Why row={row} />
        </span>
      </Link>
    </li>
  );
}

/** The hook by its name and its output; for a final denial, its approval source. */
function Why({ row }: { row: DecisionView }) {
  if (row.kind === "final") return sourceWords(row.source).says;
  const { hook, said } = reasonParts(row.reason);
  if (hook === null) return said || sourceWords(row.source).says;
  return (
    <>
      <span className="font-medium text-text">{hook}</span>
      {said === "" ? "" : `: ${said}`}
    </>
  );
}

/** The tools and the agents that are refused most. */
export function MostDenied({ range, input, during }: CardProps) {
  const trpc = useTRPC();
  const found = useQuery({ ...trpc.overview.topDenied.queryOptions(input), placeholderData: keepPreviousData });
  const list = (key: "tool" | "agent", items: TopDenied["tools"]) =>
    items.map(({ name, count }) => ({
      name,
      // A denied call without a tool is a call of a model.
      ...(name === "" ? { label: key === "tool" ? "model call" : "unnamed" } : {}),
      value: count,
      colour: toneLook.deny.css,
      href: withRange(
        `/activity?q=${encodeURIComponent(`outcome:denied ${printTerm({ key, value: name })}`)}`,
        range.text,
      ),
    }));
  return (
    <ListCard
      title="Most denied"
      aside={found.data && !found.data.isWhole ? `over the newest ${formatCount(DENIALS_COUNTED_MAX)} denials` : null}
      query={found}
    >
      {({ calls, tools, agents }) =>
        calls === 0 ? (
          <EmptyState icon={ShieldCheck} compact title={`No call was denied ${during}`} />
        ) : (
          <div className="flex flex-col gap-4 p-4">
            <BarList
              label="Denied calls by tool"
              nameHeader="Tool"
              valueHeader="Calls"
              unit="count"
              items={list("tool", tools)}
            />
            <BarList
              label="Denied calls by agent"
              nameHeader="Agent"
              valueHeader="Calls"
              unit="count"
              items={list("agent", agents)}
            />
          </div>
        )
      }
    </ListCard>
  );
}
