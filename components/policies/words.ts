/** Whom a policy binds, and what a change does to them, in plain words. Pure. */
import type { CheckView, PolicyView } from "@/server/policies/schema";

export type Scope = PolicyView["scope"];

/** Whom a policy binds. `agents` are the chosen ones, `enrolled` is how many there are. */
export interface Binding {
  readonly scope: Scope;
  readonly agents: readonly string[];
  readonly enrolled: number;
}

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** "the whole workspace (4 agents)", "2 agents: ci, build", "nobody". */
export function whom({ scope, agents, enrolled }: Binding): string {
  if (scope === "workspace") return `the whole workspace (${counted(enrolled, "agent")})`;
  if (scope === "nobody" || agents.length === 0) return "nobody";
  return `${counted(agents.length, "agent")}: ${listed(agents)}`;
}

/** How many agents a binding reaches today. */
export const reach = ({ scope, agents, enrolled }: Binding): number =>
  scope === "workspace" ? enrolled : scope === "agent" ? agents.length : 0;

/** "a", "a and b", "a, b and 3 more". */
export function listed(names: readonly string[], most = 3): string {
  const shown = names.length <= most ? names : names.slice(0, most - 1);
  const rest = names.length - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} more`] : [...shown];
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

/** What publishing does, sentence by sentence. */
export function publishWords(next: number, binding: Binding): string[] {
  const isFirst = next === 1;
  // A first publication that nobody assigned binds everyone: the server sees to it.
  const after: Binding = isFirst && binding.scope === "nobody" ? { ...binding, scope: "workspace" } : binding;
  const replaces = isFirst ? "It is the first revision of this policy." : `It replaces revision ${next - 1}.`;
  if (after.scope === "workspace") {
    const now =
      after.enrolled === 0
        ? "No agent is enrolled yet"
        : `${counted(after.enrolled, "agent")} from their next event on`;
    return [`Revision ${next} binds the whole workspace: ${now}, and every agent enrolled later.`, replaces];
  }
  if (after.agents.length === 0)
    return [`Revision ${next} binds nobody: this policy is not applied to any agent.`, replaces];
  return [
    `Revision ${next} binds ${counted(after.agents.length, "agent")} from their next event on: ${listed(after.agents, 6)}.`,
    replaces,
  ];
}

export interface EventChange {
  readonly event: string;
  readonly before: number;
  readonly after: number;
}

/** Hooks per event that differ between what is in force and a text. */
export function eventChanges(before: CheckView["events"], after: CheckView["events"]): EventChange[] {
  const count = (events: CheckView["events"], event: string) => events.find((one) => one.event === event)?.hooks ?? 0;
  const names = [...new Set([...before, ...after].map(({ event }) => event))];
  return names
    .map((event) => ({ event, before: count(before, event), after: count(after, event) }))
    .filter((change) => change.before !== change.after);
}

export function eventChangeWords({ event, before, after }: EventChange): string {
  if (before === 0) return `${event}: ${counted(after, "hook")}, none before`;
  if (after === 0) return `${event}: no hook any more, ${before} before`;
  return `${event}: ${counted(after, "hook")}, ${before} before`;
}

/** What another assignment changes, as sentences; empty when nothing does. */
export function assignWords(before: Binding, after: Binding, all: readonly string[]): string[] {
  const bound = (binding: Binding) =>
    binding.scope === "workspace" ? all : binding.scope === "agent" ? binding.agents : [];
  const had = new Set(bound(before));
  const has = new Set(bound(after));
  const freed = [...had].filter((name) => !has.has(name));
  const added = [...has].filter((name) => !had.has(name));
  const later =
    before.scope === after.scope
      ? []
      : after.scope === "workspace"
        ? ["Every agent enrolled later is bound by it too."]
        : before.scope === "workspace"
          ? ["Agents enrolled later are not bound by it."]
          : [];
  return [
    ...(freed.length > 0
      ? [`${counted(freed.length, "agent")} will not be bound by this policy any more: ${listed(freed, 6)}.`]
      : []),
    ...(added.length > 0 ? [`${counted(added.length, "agent")} will be bound by it: ${listed(added, 6)}.`] : []),
    ...later,
  ];
}
