/** Sentences on the agents that a policy binds, and on the effect of changes. Pure. */
import type { CheckView, PolicyView } from "@/server/policies/schema";

export type Scope = PolicyView["scope"];

/**
 * The agents that a policy binds. `tags`, `groups`, `people` and `agents` are the chosen ones by name, `bound` is the
 * current number of agents.
 */
export interface Binding {
  readonly scope: Scope;
  readonly tags: readonly string[];
  readonly groups: readonly string[];
  readonly agents: readonly string[];
  /** People, services and groups of the sign-on provider: "the agents of Ada". */
  readonly people?: readonly string[];
  readonly bound: number;
  readonly enrolled: number;
}

export const bindingOf = (
  policy: Pick<PolicyView, "scope" | "tags" | "groups" | "agents" | "people" | "signOnGroups" | "bound">,
  enrolled: number,
): Binding => ({
  scope: policy.scope,
  tags: policy.tags,
  groups: policy.groups.map((group) => group.name),
  agents: policy.agents.map((agent) => agent.name),
  people: peopleNames(policy),
  bound: policy.bound,
  enrolled,
});

export const peopleNames = ({ people, signOnGroups }: Pick<PolicyView, "people" | "signOnGroups">): string[] => [
  ...signOnGroups.map(({ name }) => `sign-on group ${name}`),
  ...people.map(({ name }) => `the agents of ${name}`),
];

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/**
 * The agents that a policy binds: "the whole workspace (4 agents)", "2 agents: ci, build", "5 agents: group nightly and
 * ci".
 */
export function whom(binding: Binding): string {
  const { scope, bound, enrolled } = binding;
  if (scope === "workspace") return `the whole workspace (${counted(enrolled, "agent")})`;
  const chosen = chosenNames(binding);
  if (scope === "nobody" || chosen.length === 0) return "nobody";
  return `${counted(bound, "agent")}: ${listed(chosen)}`;
}

const chosenNames = ({ agents, ...many }: Binding): string[] => [...manyNames(many), ...agents];

/** The targets whose agents may change later: tags, groups and people. */
const manyNames = ({ tags, groups, people = [] }: Pick<Binding, "tags" | "groups" | "people">): string[] => [
  ...tags.map((name) => `tag ${name}`),
  ...groups.map((name) => `group ${name}`),
  ...people,
];

/** The number of agents that a binding reaches today. */
export const reach = ({ scope, bound, enrolled }: Binding): number =>
  scope === "workspace" ? enrolled : scope === "chosen" ? bound : 0;

/** "a", "a and b", "a, b and 3 more". */
export function listed(names: readonly string[], most = 3): string {
  const shown = names.length <= most ? names : names.slice(0, most - 1);
  const rest = names.length - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} more`] : [...shown];
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

/** The effect of publishing, as sentences. `live` is the revision that it replaces; 0 without one. */
export function publishWords(next: number, binding: Binding, live = next - 1): string[] {
  const isFirst = next === 1;
  // The server assigns the first revision of an unassigned policy to the workspace.
  const after: Binding = isFirst && binding.scope === "nobody" ? { ...binding, scope: "workspace" } : binding;
  const replaces = isFirst
    ? "This is the first revision."
    : live === 0
      ? "No revision was in force before."
      : `Replaces revision ${live}.`;
  if (after.scope === "workspace") {
    const now =
      after.enrolled === 0 ? "No agent is enrolled yet" : `${counted(after.enrolled, "agent")} from the next event`;
    return [`Revision ${next} applies to the whole workspace: ${now}, and every agent enrolled later.`, replaces];
  }
  const chosen = chosenNames(after);
  if (chosen.length === 0) return [`Revision ${next} applies to no agent: this policy has no assignment.`, replaces];
  return [
    `Revision ${next} applies to ${counted(after.bound, "agent")} from the next event: ${listed(chosen, 6)}.`,
    replaces,
  ];
}

export interface EventChange {
  readonly event: string;
  readonly before: number;
  readonly after: number;
}

/** The differences in hooks per event between the policy in force and a text. */
export function eventChanges(before: CheckView["events"], after: CheckView["events"]): EventChange[] {
  const count = (events: CheckView["events"], event: string) => events.find((one) => one.event === event)?.hooks ?? 0;
  const names = [...new Set([...before, ...after].map(({ event }) => event))];
  return names
    .map((event) => ({ event, before: count(before, event), after: count(after, event) }))
    .filter((change) => change.before !== change.after);
}

export function eventChangeWords({ event, before, after }: EventChange): string {
  if (before === 0) return `${event}: ${counted(after, "hook")}, none before`;
  if (after === 0) return `${event}: no hooks, ${before} before`;
  return `${event}: ${counted(after, "hook")}, ${before} before`;
}

/** The changes by another assignment, as sentences; empty without any. `had` and `has` name the agents it binds. */
export function assignWords(
  before: Pick<Binding, "scope" | "tags" | "groups" | "people" | "agents">,
  after: Pick<Binding, "scope" | "tags" | "groups" | "people" | "agents">,
  had: readonly string[],
  has: readonly string[],
): string[] {
  const freed = had.filter((name) => !has.includes(name));
  const added = has.filter((name) => !had.includes(name));
  const [targetsBefore, targetsAfter] = [manyNames(before), manyNames(after)];
  const later =
    before.scope === after.scope
      ? []
      : after.scope === "workspace"
        ? ["The policy also applies to agents enrolled later."]
        : before.scope === "workspace"
          ? ["The policy does not apply to agents enrolled later."]
          : [];
  const joining = after.scope === "chosen" ? targetsAfter.filter((name) => !targetsBefore.includes(name)) : [];
  const leaving = after.scope === "workspace" ? [] : targetsBefore.filter((name) => !targetsAfter.includes(name));
  const sentences = [
    ...(freed.length > 0
      ? [`This policy will no longer apply to ${counted(freed.length, "agent")}: ${listed(freed, 6)}.`]
      : []),
    ...(added.length > 0 ? [`The policy will apply to ${counted(added.length, "agent")}: ${listed(added, 6)}.`] : []),
    ...(joining.length > 0 ? [`The policy also applies to agents that join ${listed(joining, 6)} later.`] : []),
    ...(leaving.length > 0 ? [`The policy will no longer be assigned to ${listed(leaving, 6)}.`] : []),
    ...later,
  ];
  const isOtherWay = sentences.length === 0 && !same(before.agents, after.agents);
  return isOtherWay ? ["The policy applies to the same agents as before, through a different assignment."] : sentences;
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name) => b.includes(name));
