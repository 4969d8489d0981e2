import { Button } from "@/components/ui/button";
import { formatCount, plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import type { Column } from "@/components/ui/table/types";
import { Tooltip } from "@/components/ui/tooltip";
import { clientTitle } from "@/server/dialects/schema";
import { NAMES_MAX, type ToolView } from "@/server/inventory/schema";

export const toolKey = ({ agentId, client, tool, skill }: ToolView): string =>
  JSON.stringify([agentId, client, tool, skill]);

const isFurther = ({ tool }: ToolView): boolean => tool === "";
const FURTHER = "further tools";
const kindText = ({ kind, skill }: ToolView): string => (skill !== null ? "skill" : kind === "mcp" ? "MCP" : kind);

/** `onAllowList` proposes a rule that is made from a row. */
export const toolColumns = (onAllowList: (row: ToolView) => void): readonly Column<ToolView>[] => [
  {
    id: "tool",
    header: "Tool",
    width: 240,
    grow: true,
    priority: 1,
    fixed: true,
    value: (row) => row.tool,
    cell: (row) => <Name row={row} />,
  },
  { id: "kind", header: "Kind", width: 76, value: kindText, cell: kindText },
  {
    id: "agent",
    header: "Agent",
    width: 150,
    value: ({ agent }) => agent,
    cell: ({ agent, agentId }) => (
      <Link href={`/agents/${agentId}`} className="truncate rounded-sm hover:underline">
        {agent}
      </Link>
    ),
  },
  {
    id: "client",
    header: "Client",
    width: 120,
    value: ({ client }) => (client === null ? null : clientTitle(client)),
    cell: ({ client }) => (client === null ? <Missing reason="Unknown client." /> : clientTitle(client)),
  },
  {
    id: "rules",
    header: "Rules",
    hint: "Policy hooks of type rules that check this agent's calls of the tool.",
    width: 176,
    value: ({ rules }) => rules.map(({ policy, hook }) => `${policy}: ${hook}`).join(", "),
    cell: (row) => <Rules row={row} />,
  },
  {
    id: "calls",
    header: "Calls",
    hint: "Number of the tool's calls that a gate has checked since the tool was first seen.",
    width: 84,
    align: "right",
    sortable: true,
    value: ({ calls }) => calls,
    cell: ({ calls }) =>
      calls === 0 ? (
        <Missing reason="No gate checked the calls of this tool. The agent only reported them afterwards." />
      ) : (
        formatCount(calls)
      ),
  },
  {
    id: "first",
    header: "First seen",
    width: 104,
    sortable: true,
    value: ({ firstSeenAt }) => firstSeenAt,
    cell: ({ firstSeenAt }) => <RelativeTime at={firstSeenAt} />,
  },
  {
    id: "last",
    header: "Last seen",
    width: 104,
    sortable: true,
    value: ({ lastSeenAt }) => lastSeenAt,
    cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} />,
  },
  {
    id: "allow",
    header: "Allow list",
    width: 120,
    cell: (row) =>
      isFurther(row) ? null : (
        <Button
          size="sm"
          aria-label={`Create an allow list from ${row.tool} of ${row.agent}`}
          onClick={() => onAllowList(row)}
        >
          Allow list…
        </Button>
      ),
  },
];

function Name({ row }: { row: ToolView }) {
  if (isFurther(row))
    return (
      <Tooltip content={`This agent called more than ${NAMES_MAX} tools. This row counts the other tools together.`}>
        <span className="text-muted">{FURTHER}</span>
      </Tooltip>
    );
  return (
    <span className="truncate font-mono" title={row.tool}>
      {row.tool}
      {row.skill === null ? null : <span className="text-muted"> {row.skill}</span>}
    </span>
  );
}

function Rules({ row }: { row: ToolView }) {
  const [first] = row.rules;
  if (isFurther(row)) return <Missing reason="This row combines many tools, so it lists no rules." />;
  if (first === undefined) return <Mark tone="unknown" look="plain" label="No rule" />;
  const others = row.ruleCount - 1;
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Link href={`/policies/${first.policyId}`} className="truncate rounded-sm hover:underline">
        {first.hook}
      </Link>
      {others > 0 ? (
        <Tooltip
          content={row.rules
            .slice(1)
            .map(({ policy, hook }) => `${policy}: ${hook}`)
            .join(", ")}
        >
          <span className="shrink-0 text-muted">and {plural(others, "other")}</span>
        </Tooltip>
      ) : null}
    </span>
  );
}
