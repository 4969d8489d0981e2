/** Checks the routes between the agents of a file: permitted handoffs, and no cycles. */
import { choiceNames, type EvaluatorFields, evaluatorNamed, isFields } from "./evaluator-definitions.ts";
import { EVENTS, type EventName } from "./events.ts";
import type { HookDefinition, HooksConfig } from "./hook.ts";
import { identityOf } from "./identity.ts";
import { everyHook } from "./placement.ts";

/** A problem with its path in the file. */
export interface FileProblem {
  /** `agents.root.hooks.tool_guard`. */
  readonly path: string;
  readonly message: string;
}

/** The parts of an agent that concern routes and evaluators. */
export interface CheckedAgent {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly hooks: HooksConfig;
}

const isControl = (event: EventName): boolean => EVENTS[event].control;

interface RoutedAgent {
  readonly name: string;
  readonly routing: { readonly allowed: readonly string[]; readonly defaultAgent: string } | null;
  /** The hooks of control events, each definition once, by event. */
  readonly selectors: ReadonlyMap<EventName, readonly HookDefinition[]>;
  readonly forceHandoff: string;
  readonly isHarness: boolean;
}

/** The first problem of each agent, or a cycle if no agent has a problem. Empty if no agent routes. */
export function agentRoutingProblems(agents: readonly CheckedAgent[], evaluators: EvaluatorFields): FileProblem[] {
  const routed = agents.map(routedAgent);
  if (routed.every(({ routing, selectors }) => routing === null && selectors.size === 0)) return [];
  const byName = new Map(routed.map((agent) => [agent.name, agent]));
  const problems = routed.flatMap((agent) => {
    const message = agentProblem(agent, byName, evaluators);
    return message === undefined ? [] : [{ path: `agents.${agent.name}`, message }];
  });
  if (problems.length > 0) return problems;
  const cyclic = agentInCycle(routed);
  return cyclic === undefined
    ? []
    : [{ path: `agents.${cyclic}`, message: `routing cycle detected involving agent ${JSON.stringify(cyclic)}` }];
}

function routedAgent({ name, fields, hooks }: CheckedAgent): RoutedAgent {
  const selectors = new Map<EventName, HookDefinition[]>();
  const seen = new Set<string>();
  for (const { event, hook } of everyHook(hooks).filter(({ event }) => isControl(event))) {
    const identity = `${event} ${identityOf(hook)}`;
    if (!seen.has(identity)) selectors.set(event, [...(selectors.get(event) ?? []), hook]);
    seen.add(identity);
  }
  const { routing, force_handoff, harness } = fields;
  return {
    name,
    selectors,
    routing: isFields(routing)
      ? { allowed: textsOf(routing.allowed_agents), defaultAgent: textOf(routing.default_agent) }
      : null,
    forceHandoff: textOf(force_handoff),
    isHarness: harness !== undefined && harness !== null && harness !== false && harness !== "",
  };
}

function agentProblem(
  agent: RoutedAgent,
  byName: ReadonlyMap<string, RoutedAgent>,
  evaluators: EvaluatorFields,
): string | undefined {
  const { routing, selectors } = agent;
  if (routing === null && selectors.size === 0) return undefined;
  const crowded = [...selectors].find(([, hooks]) => hooks.length > 1);
  if (crowded)
    return `hooks.${crowded[0]}: at most one selector is allowed after merging, found ${crowded[1].length} distinct definitions`;
  if (selectors.size === 0) return "routing requires a before_agent_run or after_agent_complete hook";
  if (routing === null) return "before_agent_run and after_agent_complete hooks require routing.allowed_agents";
  if (agent.isHarness) return "routing hooks are not supported on harness agents";
  if (agent.forceHandoff !== "" && selectors.has("after_agent_complete"))
    return "hooks.after_agent_complete cannot be combined with force_handoff";
  return (
    allowedProblem(agent.name, routing.allowed, byName) ??
    defaultProblem(routing) ??
    firstOf([...selectors.values()].flat(), (hook) => routeSelectorProblem(hook, agent.name, routing, evaluators))
  );
}

function allowedProblem(
  own: string,
  allowed: readonly string[],
  byName: ReadonlyMap<string, RoutedAgent>,
): string | undefined {
  const field = "routing.allowed_agents";
  if (allowed.length === 0) return `${field} must not be empty`;
  return firstOf(allowed, (name, index) => {
    const shown = JSON.stringify(name);
    if (allowed.indexOf(name) !== index) return `${field} lists ${shown} more than once`;
    if (name === own) return `${field} must not include the agent itself (${shown})`;
    const target = byName.get(name);
    if (!target) return `${field} references unknown local agent ${shown}`;
    return target.isHarness ? `${field}: harness agent ${shown} cannot be a route target` : undefined;
  });
}

function defaultProblem({ allowed, defaultAgent }: NonNullable<RoutedAgent["routing"]>): string | undefined {
  return defaultAgent === "" || allowed.includes(defaultAgent)
    ? undefined
    : `routing.default_agent ${JSON.stringify(defaultAgent)} must be in routing.allowed_agents`;
}

/** Checks a selector's routes. A command may reach every allowed agent; an evaluator's routes are known. */
export function routeSelectorProblem(
  hook: HookDefinition,
  own: string,
  { allowed, defaultAgent }: NonNullable<RoutedAgent["routing"]>,
  evaluators: EvaluatorFields,
): string | undefined {
  if (hook.type !== "evaluator") return undefined;
  if (defaultAgent === "") return "routing.default_agent is required when an evaluator selects the route";
  const name = hook.evaluator ?? "";
  const evaluator = evaluatorNamed(name, evaluators);
  if (!evaluator) return `unknown evaluator ${JSON.stringify(name)}`;
  if (evaluator.type !== "choice")
    return `evaluator ${JSON.stringify(name)}: routing requires a choice evaluator, got ${JSON.stringify(evaluator.type)}`;
  const routes = hook.routing_policy?.routes ?? {};
  const choices = choiceNames(evaluator.choices);
  return (
    firstOf(Object.keys(routes), (choice) =>
      choices.includes(choice)
        ? undefined
        : `routing_policy.routes: unknown evaluator choice ${JSON.stringify(choice)}`,
    ) ??
    firstOf(choices, (choice) =>
      Object.hasOwn(routes, choice) ? undefined : `missing route for evaluator choice ${JSON.stringify(choice)}`,
    ) ??
    firstOf(Object.entries(routes), ([choice, agent]) => {
      if (agent === own) return `choice ${JSON.stringify(choice)} routes to the agent itself`;
      if (allowed.includes(agent)) return undefined;
      return `choice ${JSON.stringify(choice)} routes to ${JSON.stringify(agent)}, which is not in routing.allowed_agents`;
    })
  );
}

/** An agent in a cycle of routes and forced handoffs. */
function agentInCycle(agents: readonly RoutedAgent[]): string | undefined {
  const next = new Map(agents.map((agent) => [agent.name, targetsOf(agent)]));
  const done = new Set<string>();
  const visit = (start: string): string | undefined => {
    // An explicit stack instead of recursion, because a file may chain many agents.
    const path: { readonly name: string; readonly left: string[] }[] = [
      { name: start, left: [...(next.get(start) ?? [])] },
    ];
    const open = new Set([start]);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const target = top.left.pop();
      if (target === undefined) {
        path.pop();
        open.delete(top.name);
        done.add(top.name);
      } else if (open.has(target)) return target;
      else if (!done.has(target)) {
        path.push({ name: target, left: [...(next.get(target) ?? [])] });
        open.add(target);
      }
    }
    return undefined;
  };
  return firstOf([...next.keys()], (name) => (done.has(name) ? undefined : visit(name)));
}

function targetsOf({ routing, selectors, forceHandoff }: RoutedAgent): string[] {
  const hooks = [...selectors.values()].flat();
  const routes = hooks.flatMap((hook) =>
    hook.type === "evaluator"
      ? [...Object.values(hook.routing_policy?.routes ?? {}), routing?.defaultAgent ?? ""]
      : (routing?.allowed ?? []),
  );
  return [...new Set([...routes, forceHandoff])].filter((name) => name !== "");
}

function firstOf<T>(
  items: readonly T[],
  complaint: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = complaint(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : []);
