import { Drift } from "@/components/agents/drift";
import { KeyCount } from "@/components/agents/key-state";
import { Badge } from "@/components/ui/badge";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import type { Column } from "@/components/ui/table/types";
import type { AgentView } from "@/server/agents/schema";

export const agentColumns: readonly Column<AgentView>[] = [
  {
    id: "name",
    header: "Agent",
    width: 220,
    priority: 1,
    fixed: true,
    value: (row) => row.name,
    cell: (row) => (
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate font-medium">{row.name}</span>
        {row.isDemo ? <Badge>demo</Badge> : null}
        {row.retiredAt ? <Badge>retired</Badge> : null}
      </span>
    ),
  },
  {
    id: "seen",
    header: "Last seen",
    width: 120,
    hint: "Its newest event",
    value: (row) => row.lastSeenAt,
    cell: (row) =>
      row.lastSeenAt ? <RelativeTime at={row.lastSeenAt} /> : <Missing reason="no event has arrived yet" />,
  },
  {
    id: "state",
    priority: 1,
    header: "Policy",
    width: 170,
    hint: "Whether its last event was answered under what is in force now",
    value: (row) => (row.lastRevision === null ? null : row.lastRevision === row.revisionInForce),
    cell: (row) => <Drift agent={row} />,
  },
  {
    id: "inForce",
    priority: 3,
    header: "In force",
    width: 160,
    value: (row) => row.revisionInForce,
    cell: (row) => (row.revisionInForce === "none" ? "nothing" : <code>{row.revisionInForce}</code>),
  },
  {
    id: "lastUsed",
    header: "Last used",
    width: 160,
    priority: 3,
    value: (row) => row.lastRevision,
    cell: (row) => {
      if (row.lastRevision === null) return <Missing reason="no event has been answered yet" />;
      return row.lastRevision === "none" || row.lastRevision === "" ? "nothing" : <code>{row.lastRevision}</code>;
    },
  },
  {
    id: "policies",
    header: "Bound by",
    grow: true,
    width: 200,
    value: (row) => row.policies.map(({ name, revision }) => `${name} r${revision}`).join(", "),
    cell: (row) =>
      row.policies.length === 0 ? (
        <Missing reason="no policy binds this agent" />
      ) : (
        <span className="truncate">{row.policies.map(({ name, revision }) => `${name} r${revision}`).join(", ")}</span>
      ),
  },
  {
    id: "keys",
    header: "Keys",
    width: 110,
    value: (row) => row.keys.filter((key) => key.revokedAt === null).length,
    cell: (row) => <KeyCount keys={row.keys} />,
  },
];
