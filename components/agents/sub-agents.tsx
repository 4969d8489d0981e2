import { Calls, Denied, Spend } from "@/components/agents/figures";
import { plural } from "@/components/ui/format/count";
import { Section } from "@/components/ui/section";
import { DataTable } from "@/components/ui/table/data-table";
import type { Column } from "@/components/ui/table/types";
import type { AgentRow, SubAgentView } from "@/server/agents/schema";

const columns: readonly Column<SubAgentView>[] = [
  {
    id: "name",
    header: "Name",
    grow: true,
    width: 160,
    priority: 1,
    value: (row) => row.name,
    cell: (row) => <span className="truncate">{row.name}</span>,
  },
  {
    id: "calls",
    header: "Calls 24 h",
    width: 90,
    align: "right",
    value: (row) => row.calls,
    cell: (row) => <Calls figures={row} isSeen />,
  },
  {
    id: "denied",
    header: "Denied",
    width: 72,
    align: "right",
    value: (row) => row.denied,
    cell: (row) => <Denied figures={row} isSeen />,
  },
  {
    id: "spend",
    header: "Spend 24 h",
    width: 104,
    align: "right",
    value: (row) => row.nano,
    cell: (row) => <Spend figures={row} />,
  },
];

/** The agents that an agent runs in sub-sessions, which have no key of their own. */
export function SubAgents({ row }: { row: AgentRow }) {
  return (
    <Section title="Sub-agents" aside={`${plural(row.subAgentCount, "name")} of its sub-sessions, 24 h`}>
      <DataTable
        id="sub-agents"
        label="sub-agents"
        columns={columns}
        rows={row.subAgents}
        getRowId={(sub) => sub.name}
        height="auto"
        bare
        empty={null}
      />
      <p className="text-faint text-sm">
        Sub-agents use this agent's keys and policies. This agent's figures include its sub-agents.
      </p>
    </Section>
  );
}
