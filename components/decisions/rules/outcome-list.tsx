import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark, type MarkProps } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import type { RuleOutcomeView } from "@/server/decisions/rules/schema";
import { sourceWords } from "@/server/decisions/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

const MARKS: Readonly<Partial<Record<RuleOutcomeView["outcome"], Pick<MarkProps, "tone" | "label">>>> = {
  denied: { tone: "deny", label: "Denied" },
  asked: { tone: "ask", label: "Asked" },
  failed: { tone: "error", label: "Failed" },
  timed_out: { tone: "error", label: "Timed out" },
};

/** The newest outcomes of one kind; those over a tool call open among the decisions. */
export function OutcomeList({ title, none, rows }: { title: string; none: string; rows: readonly RuleOutcomeView[] }) {
  return (
    <Section title={title}>
      {rows.length === 0 ? (
        <p className="text-muted text-sm">{none}</p>
      ) : (
        <ul className="overflow-hidden rounded-md border">
          {rows.map((row) => (
            <li
              key={`${row.id} ${row.outcome}`}
              className="flex flex-col gap-0.5 border-line px-3 py-2 not-first:border-t"
            >
              <div className="flex flex-wrap items-center gap-x-2 text-sm">
                <Mark {...(MARKS[row.outcome] ?? { tone: "unknown", label: row.outcome })} />
                <span>{row.agentName}</span>
                {row.tool === null ? null : <code>{row.tool}</code>}
                <span className="text-faint">revision {row.revision}</span>
                <span className="ml-auto text-muted">
                  {row.isDecision ? (
                    <Link className="link" href={`/activity?open=${eventKeyText(row)}`}>
                      <RelativeTime at={row.occurredAt} />
                    </Link>
                  ) : (
                    <RelativeTime at={row.occurredAt} />
                  )}
                </span>
              </div>
              {row.excerpt === "" ? null : <code className="truncate text-sm">{row.excerpt.replace(/\s+/g, " ")}</code>}
              {row.failure === null ? null : <p className="break-words text-error text-sm">{row.failure}</p>}
              {row.overturnedBy === null ? null : (
                <p className="text-muted text-sm">A person allowed it: {sourceWords(row.overturnedBy).label}.</p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
