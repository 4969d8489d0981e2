/**
 * Reads the `evaluators:` and `routing:` sections of a policy. Definitions are docker-agent's. The address, the key and the prices
 * belong to the connection, so a policy cannot send a key to its own address.
 */
import { z } from "zod";
import { routeSelectorProblem } from "./agent-routing.ts";
import {
  choiceNames,
  type EvaluatorFields,
  evaluatorNamed,
  evaluatorProblem,
  evaluatorReferenceProblem,
  isFields,
} from "./evaluator-definitions.ts";
import { EVENTS } from "./events.ts";
import type { HookDefinition, HooksConfig, MatcherEntry } from "./hook.ts";
import { everyHook, isEntry, type PlacedHook } from "./placement.ts";
import { type Problem, pathOf, problemAt } from "./problem.ts";
import {
  EVALUATOR_TIMEOUT_MS,
  evaluatorTimeoutMs,
  type ResolvedEvaluator,
  resolvedEvaluator,
} from "./resolved-evaluator.ts";

/** The unparsed values of the two keys next to `hooks:`. */
export interface EvaluatorSections {
  readonly evaluators?: unknown;
  readonly routing?: unknown;
}

export interface EvaluatedHooks {
  /** The hooks, each evaluator hook with its evaluator. */
  readonly hooks: HooksConfig;
  /** Problems of hooks; their path begins with "hooks". */
  readonly hookProblems: readonly Problem[];
  /** Problems of the sections; their path begins with the section. */
  readonly sectionProblems: readonly Problem[];
}

const EVALUATORS_MAX = 100;
const AGENTS_MAX = 255;
const OF_CONNECTION = ["base_url", "endpoint", "token_key", "cost"] as const;
const PROVIDER = /^[a-z0-9][a-z0-9._-]{0,63}$/;

const agentName = z
  .string("must be a text")
  .trim()
  .min(1, "must not be empty")
  .max(200, "must be at most 200 characters");
const routingSection = z.strictObject({
  allowed_agents: z
    .array(agentName, "must be a list of agents")
    .min(1, "must not be empty")
    .max(AGENTS_MAX, `must have at most ${AGENTS_MAX} entries`)
    .refine((names) => new Set(names).size === names.length, "lists an agent more than once")
    .nullish(),
  default_agent: agentName.nullish(),
});
type Routing = z.infer<typeof routingSection>;

/** Resolves the evaluators of hooks, and reports every problem that prevents a question. */
export function resolveEvaluators(hooks: HooksConfig, sections: EvaluatorSections): EvaluatedHooks {
  const evaluators = isFields(sections.evaluators) ? sections.evaluators : {};
  const { routing, problems } = readRouting(sections.routing);
  const sectionProblems = [...evaluatorsProblems(sections.evaluators), ...problems];
  const hookProblems = everyHook(hooks).flatMap((placed) => referenceProblem(placed, evaluators, routing) ?? []);
  if (sectionProblems.length > 0 || hookProblems.length > 0) return { hooks, hookProblems, sectionProblems };
  return { hooks: withEvaluators(hooks, evaluators, routing), hookProblems, sectionProblems };
}

const sectionProblem = (segments: readonly (string | number)[], message: string): Problem => ({
  path: pathOf(segments),
  segments,
  message,
});

function evaluatorsProblems(section: unknown): Problem[] {
  if (section === undefined || section === null) return [];
  if (!isFields(section)) return [sectionProblem(["evaluators"], "must be a mapping of names to evaluators")];
  const entries = Object.entries(section);
  if (entries.length > EVALUATORS_MAX)
    return [sectionProblem(["evaluators"], `must have at most ${EVALUATORS_MAX} entries`)];
  return entries.flatMap(([name, fields]) => definitionProblem(name, fields) ?? []);
}

function definitionProblem(name: string, fields: unknown): Problem | undefined {
  const owned = isFields(fields)
    ? OF_CONNECTION.find((key) => fields[key] !== undefined && fields[key] !== null)
    : undefined;
  if (owned !== undefined)
    return sectionProblem(
      ["evaluators", name, owned],
      "belongs to the connection on the Judges page, with the address, the key and the prices. Leave it out",
    );
  const problem = evaluatorProblem(name, fields, (provider) => PROVIDER.test(provider));
  if (problem) return sectionProblem(name.trim() === "" ? ["evaluators"] : ["evaluators", name], problem.message);
  // No hook uses a score evaluator, but a definition is valid.
  if (!isFields(fields) || fields.type === "score") return undefined;
  if (evaluatorTimeoutMs(fields.timeout) === null)
    return sectionProblem(["evaluators", name, "timeout"], "must be a number of seconds or a duration such as 10s");
  const read = resolvedEvaluator.safeParse(resolved(fields, {}));
  const issue = read.success ? undefined : read.error.issues[0];
  return issue && sectionProblem(["evaluators", name], issue.message);
}

function readRouting(section: unknown): { routing: Routing; problems: Problem[] } {
  if (section === undefined || section === null) return { routing: {}, problems: [] };
  const read = routingSection.safeParse(section);
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) =>
      sectionProblem(["routing", ...path.map((step) => (typeof step === "number" ? step : String(step)))], message),
    );
    return { routing: {}, problems };
  }
  const { allowed_agents, default_agent } = read.data;
  const isStray = allowed_agents && default_agent && !allowed_agents.includes(default_agent);
  const stray = sectionProblem(
    ["routing", "default_agent"],
    `${JSON.stringify(default_agent)} must be in routing.allowed_agents`,
  );
  return { routing: read.data, problems: isStray ? [stray] : [] };
}

function referenceProblem(
  { event, hook, place }: PlacedHook,
  evaluators: EvaluatorFields,
  routing: Routing,
): Problem | undefined {
  if (hook.type !== "evaluator") return undefined;
  const allowed = routing.allowed_agents ?? Object.values(hook.routing_policy?.routes ?? {});
  const message = EVENTS[event].control
    ? routeSelectorProblem(hook, "", { allowed, defaultAgent: routing.default_agent ?? "" }, evaluators)
    : evaluatorReferenceProblem(hook, evaluators);
  if (message === undefined) return undefined;
  const policy = EVENTS[event].control ? "routing_policy" : "evaluator_policy";
  const isUnknown = evaluatorNamed(hook.evaluator ?? "", evaluators) === undefined;
  const hint = isUnknown && !message.includes("default_agent") ? ". Define it below `evaluators:`" : "";
  return problemAt([...place, isUnknown ? "evaluator" : policy], message + hint);
}

function withEvaluators(hooks: HooksConfig, evaluators: EvaluatorFields, routing: Routing): HooksConfig {
  const resolve = (hook: HookDefinition): HookDefinition => {
    const fields = hook.type === "evaluator" ? evaluatorNamed(hook.evaluator ?? "", evaluators) : undefined;
    if (!fields) return hook;
    return { ...hook, resolved_evaluator: resolved(fields, hook.routing_policy ? routing : {}) };
  };
  const config = Object.entries(hooks).map(([event, entries]) => [
    event,
    (entries as readonly (MatcherEntry | HookDefinition)[]).map((entry) =>
      isEntry(entry) ? { ...entry, hooks: (entry.hooks ?? []).map(resolve) } : resolve(entry),
    ),
  ]);
  return Object.fromEntries(config);
}

/** The resolved evaluator from checked fields. */
function resolved(fields: EvaluatorFields, { default_agent }: Routing): ResolvedEvaluator {
  const { provider, model, type, instructions, choices, timeout } = fields;
  const descriptions: EvaluatorFields = isFields(choices) ? choices : {};
  const described = choiceNames(choices).map((name) => {
    const description = descriptions[name];
    return [name, typeof description === "string" && description.trim() !== "" ? description : name];
  });
  return {
    provider: String(provider).trim(),
    model: String(model).trim(),
    type: type === "choice" ? "choice" : "boolean",
    instructions: String(instructions),
    ...(type === "choice" && { choices: Object.fromEntries(described) }),
    timeout_ms: evaluatorTimeoutMs(timeout) || EVALUATOR_TIMEOUT_MS,
    ...(default_agent && { default_agent }),
  };
}
