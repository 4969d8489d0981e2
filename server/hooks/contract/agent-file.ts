/** Checks a whole agent file of profile 2026-11: its evaluators, and the routes between its agents. Messages are docker-agent's. */
import { agentRoutingProblems, type CheckedAgent, type FileProblem } from "./agent-routing.ts";
import {
  type EvaluatorFields,
  evaluatorProblem,
  evaluatorProviders,
  evaluatorReferenceProblem,
  isFields,
} from "./evaluator-definitions.ts";
import { parseHooks } from "./parse.ts";
import { everyHook } from "./placement.ts";
import type { Profile } from "./profiles.ts";

const PROFILE: Profile = "2026-11";
/** The only config version with evaluators. A file without a version has the newest. */
const VERSION = "16";
const AGENTS_MAX = 1_000;

/** Every problem of the file, in docker-agent's order. docker-agent would report the first. */
export function agentFileProblems(file: unknown): FileProblem[] {
  if (!isFields(file)) return [{ path: "", message: "an agent file must be a mapping" }];
  const evaluators = isFields(file.evaluators) ? file.evaluators : {};
  const isProvider = evaluatorProviders(file.providers);
  const agents = isFields(file.agents) ? Object.entries(file.agents) : [];
  if (agents.length > AGENTS_MAX) return [{ path: "agents", message: `must have at most ${AGENTS_MAX} entries` }];
  const checked = agents.map(([name, fields]) => checkedAgent(name, fields));
  return [
    ...shapeProblems(file),
    ...Object.entries(evaluators).flatMap(([name, fields]) => evaluatorProblem(name, fields, isProvider) ?? []),
    ...checked.flatMap(({ problems }) => problems),
    ...checked.flatMap(({ agent }) => referenceProblems(agent, evaluators)),
    ...agentRoutingProblems(
      checked.map(({ agent }) => agent),
      evaluators,
    ),
  ];
}

function shapeProblems(file: Readonly<Record<string, unknown>>): FileProblem[] {
  const given = ["evaluators", "agents"].filter((key) => file[key] !== undefined && file[key] !== null);
  const wrong = given.filter((key) => !isFields(file[key])).map((key) => ({ path: key, message: "must be a mapping" }));
  const { version } = file;
  const isOther = version !== undefined && version !== null && String(version) !== VERSION;
  return isOther && given.includes("evaluators")
    ? [...wrong, { path: "evaluators", message: `evaluators require config version ${VERSION}` }]
    : wrong;
}

function checkedAgent(name: string, value: unknown): { agent: CheckedAgent; problems: FileProblem[] } {
  const fields = isFields(value) ? value : {};
  const parsed = parseHooks(fields.hooks, PROFILE);
  const problems = parsed.ok
    ? []
    : parsed.problems.map(({ path, message }) => ({ path: `agents.${name}.${path}`, message }));
  return { agent: { name, fields, hooks: parsed.ok ? parsed.hooks : {} }, problems };
}

/** The evaluators that tool guards name. Those of control events are checked with the routes. */
function referenceProblems({ name, hooks }: CheckedAgent, evaluators: EvaluatorFields): FileProblem[] {
  return everyHook(hooks).flatMap(({ event, hook }) => {
    if (hook.type !== "evaluator" || hook.routing_policy) return [];
    const message = evaluatorReferenceProblem(hook, evaluators);
    return message === undefined ? [] : [{ path: `agents.${name}.hooks.${event}`, message }];
  });
}
