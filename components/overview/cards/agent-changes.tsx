"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import type { CardProps } from "@/components/overview/cards/card-props";
import { ListCard } from "@/components/overview/cards/list-card";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";
import { AGENT_CHANGES_MAX, type AgentChange } from "@/server/overview/schema";

/** The agents that are new, silent, on an older revision or with a new tool. */
export function AgentChangesCard({ input, during }: CardProps) {
  const trpc = useTRPC();
  const changes = useQuery({ ...trpc.overview.agentChanges.queryOptions(input), placeholderData: keepPreviousData });
  return (
    <ListCard
      title="Agents that changed"
      aside={changes.data?.isWhole === false ? `the newest ${AGENT_CHANGES_MAX}` : null}
      actions={
        <Link className="link text-sm" href="/agents">
          All agents
        </Link>
      }
      query={changes}
    >
      {({ rows }) =>
        rows.length === 0 ? (
          <EmptyState icon={Bot} compact title={`No agent changed ${during}`} />
        ) : (
          <ul>
            {rows.map((change) => (
              <li key={`${change.kind} ${change.agentId}`} className="border-line not-first:border-t">
                <Link
                  href={`/agents/${change.agentId}`}
                  className="inset-focus flex min-h-10 items-center gap-3 px-4 py-1.5 hover:bg-hover"
                >
                  <Mark {...KINDS[change.kind]} look="plain" className="sm:w-28" />
                  <span className="min-w-0 flex-1 truncate">
                    <span className="font-medium">{change.name}</span>{" "}
                    <span className="text-muted">{changeText(change)}</span>
                  </span>
                  <RelativeTime at={change.at} className="shrink-0 text-faint text-sm" />
                </Link>
              </li>
            ))}
          </ul>
        )
      }
    </ListCard>
  );
}

const KINDS: Readonly<Record<AgentChange["kind"], { tone: Tone; label: string }>> = {
  new: { tone: "allow", label: "New" },
  silent: { tone: "unknown", label: "Silent" },
  outdated: { tone: "ask", label: "Older revision" },
  new_tools: { tone: "observe", label: "New tool" },
};

/** The change, after the agent's name: "called fetch, browse and 2 more for the first time". */
export function changeText({ kind, tools, count }: Pick<AgentChange, "kind" | "tools" | "count">): string {
  switch (kind) {
    case "new":
      return "was enrolled";
    case "silent":
      return "sent its last event";
    case "outdated":
      return "was answered by an older revision";
    case "new_tools": {
      const more = count - tools.length;
      const names = more > 0 ? `${tools.join(", ")} and ${formatCount(more)} more` : LIST.format(tools);
      return `called ${names} for the first time`;
    }
  }
}

const LIST = new Intl.ListFormat("en", { type: "conjunction" });
