import { ShieldCheck } from "lucide-react";
import { BarList } from "@/components/charts/bar-list";
import { EmptyState } from "@/components/ui/empty-state";
import { printTerm } from "@/components/ui/filter/filter-text";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { toneLook } from "@/components/ui/tone";
import { type DecisionView, reasonParts, sourceWords } from "@/server/decisions/schema";
import { DENIALS_COUNTED_MAX, type TopDenied } from "@/server/overview/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

export interface NewestDenialsProps {
  rows: readonly DecisionView[] | undefined;
  during: string;
  range: string;
}

/** The newest denied calls with the reason; each opens its drawer. */
export function NewestDenials({ rows, during, range }: NewestDenialsProps) {
  const all = `/decisions?q=verdict:deny&range=${encodeURIComponent(range)}`;
  return (
    <Section
      title="Newest denials"
      framed
      flush
      actions={
        <Link className="link text-sm" href={all}>
          All denials
        </Link>
      }
    >
      {rows === undefined ? (
        <Loading label="the newest denials" className="p-4">
          <SkeletonText lines={6} />
        </Loading>
      ) : rows.length === 0 ? (
        <EmptyState icon={ShieldCheck} compact title={`Nothing was denied ${during}`} />
      ) : (
        <ul>
          {rows.map((row) => (
            <li key={eventKeyText(row)} className="border-line not-first:border-t">
              <Link
                href={`${all}&open=${eventKeyText(row)}`}
                className="inset-focus flex flex-col gap-0.5 px-4 py-2 hover:bg-hover"
              >
                <span className="flex min-w-0 items-center gap-2">
                  <Mark tone="deny" label="Denied" look="plain" />
                  <code className="shrink-0 text-muted">{row.tool}</code>
                  <code className="min-w-0 flex-1 truncate">{row.excerpt.replace(/\s+/g, " ")}</code>
                  <RelativeTime at={row.occurredAt} className="shrink-0 text-faint text-sm" />
                </span>
                <span className="line-clamp-2 text-muted text-sm">
                  {row.agentName} · <Why row={row} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
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

export interface MostDeniedProps {
  top: TopDenied | undefined;
  range: string;
}

/** The tools and the agents that are refused most. */
export function MostDenied({ top, range }: MostDeniedProps) {
  if (top && top.calls === 0) return null;
  const list = (key: "tool" | "agent", items: TopDenied["tools"]) =>
    items.map(({ name, count }) => ({
      name,
      // A denied call without a tool is a call of a model.
      ...(name === "" ? { label: key === "tool" ? "model call" : "unnamed" } : {}),
      value: count,
      colour: toneLook.deny.css,
      href: `/decisions?q=${encodeURIComponent(`verdict:deny ${printTerm({ key, value: name })}`)}&range=${encodeURIComponent(range)}`,
    }));
  return (
    <Section
      title="Most denied"
      framed
      aside={top && !top.isWhole ? `over the newest ${DENIALS_COUNTED_MAX.toLocaleString("en")} denials` : null}
    >
      {top === undefined ? (
        <Loading label="the most denied">
          <SkeletonText lines={6} />
        </Loading>
      ) : (
        <div className="flex flex-col gap-4">
          <BarList
            label="Denied calls by tool"
            nameHeader="Tool"
            valueHeader="Calls"
            unit="count"
            items={list("tool", top.tools)}
          />
          <BarList
            label="Denied calls by agent"
            nameHeader="Agent"
            valueHeader="Calls"
            unit="count"
            items={list("agent", top.agents)}
          />
        </div>
      )}
    </Section>
  );
}
