import { UNNAMED } from "@/components/costs/query";
import type { FilterField } from "@/components/ui/filter/suggest";
import type { CostBreakdownView } from "@/server/costs/schema";
import { countFilterNames } from "@/server/recording/reported-name-schema";

/** The field `agent` of a filter: enrolled agents and inner agents, each with the calls that it finds. */
export function agentField(agents: CostBreakdownView | undefined): FilterField {
  const lines = agents?.lines.map(({ name, ledger }) => ({ name: name || UNNAMED, count: ledger.calls }));
  return { key: "agent", hint: "who called it", ...(lines && { values: countFilterNames(lines) }) };
}
