import { contractOf, isEventName } from "@quarterdeck/hooks/contract/events";
import { counted } from "@/components/policies/labels";
import type { CheckView } from "@/server/policies/schema";

/** The text's effect for readers without YAML: each event with its hooks. */
export function Outline({ view }: { view: CheckView | null }) {
  if (view === null || view.problems.length > 0)
    return <p className="text-muted">Fix the problems in the draft to see its outline.</p>;
  if (view.events.length === 0) return <p className="text-muted">No hooks yet.</p>;
  return (
    <ul className="flex flex-col gap-3">
      {view.events.map(({ event, hooks, agentHooks }) => (
        <li key={event} className="flex flex-col gap-0.5">
          <span className="flex items-baseline gap-2">
            <code className="font-semibold">{event}</code>
            <span className="ml-auto shrink-0 text-muted text-sm">{counted(hooks, "hook")}</span>
          </span>
          <span className="text-muted text-sm">
            {isEventName(event, view.profile) ? contractOf(event, view.profile).says : null}
            {agentHooks > 0 ? ` ${counted(agentHooks, "hook runs", "hooks run")} on the agent&apos;s machine.` : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
