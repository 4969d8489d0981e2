/** Checks the `evaluators:` of an agent file: their required fields, and the hooks that use them. Messages are docker-agent's. */
import { isBlank } from "./evaluator-policies.ts";
import type { HookDefinition } from "./hook.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Unparsed evaluators by name. */
export type EvaluatorFields = Fields;

const TEXTS = ["provider", "model", "type", "instructions", "base_url", "endpoint", "token_key"] as const;
const KEYS: readonly string[] = [...TEXTS, "choices", "levels", "timeout", "cost"];
/** The only provider of evaluators. */
const EVALUATOR_PROVIDER = "typesafe";
const [CHOICES_MIN, CHOICES_MAX] = [2, 255];
const [LEVELS_MIN, LEVELS_MAX] = [2, 10];

/** The first problem of an evaluator, with its path. */
export function evaluatorProblem(
  name: string,
  fields: unknown,
  isProvider: (name: string) => boolean,
): { path: string; message: string } | undefined {
  if (isBlank(name)) return { path: "evaluators", message: "evaluator names must not be empty" };
  const message = isFields(fields) ? definitionProblem(fields, isProvider) : "must be a mapping";
  return message === undefined ? undefined : { path: `evaluators.${name}`, message };
}

function definitionProblem(fields: Fields, isProvider: (name: string) => boolean): string | undefined {
  return (
    shapeProblem(fields) ??
    (isBlank(textOf(fields.provider)) || isBlank(textOf(fields.model))
      ? "provider and model are required"
      : undefined) ??
    (isBlank(textOf(fields.instructions)) ? "instructions are required" : undefined) ??
    (isNegative(fields.timeout) ? "timeout must not be negative" : undefined) ??
    costProblem(fields.cost) ??
    addressProblem("base_url", textOf(fields.base_url)) ??
    addressProblem("endpoint", textOf(fields.endpoint)) ??
    outcomeProblem(fields) ??
    providerProblem(textOf(fields.provider).trim(), isProvider)
  );
}

function shapeProblem(fields: Fields): string | undefined {
  const stray = Object.keys(fields).find((key) => !KEYS.includes(key));
  if (stray !== undefined) return `unknown key "${stray.slice(0, 100)}"`;
  const wrong = TEXTS.find((key) => isGiven(fields[key]) && typeof fields[key] !== "string");
  if (wrong !== undefined) return `${wrong} must be a text`;
  if (isGiven(fields.choices) && !isFields(fields.choices) && !Array.isArray(fields.choices))
    return "choices must be a mapping of names to descriptions";
  return isGiven(fields.levels) && !Array.isArray(fields.levels) ? "levels must be a list of texts" : undefined;
}

const isNegative = (timeout: unknown): boolean =>
  typeof timeout === "number" ? timeout < 0 : typeof timeout === "string" && timeout.trim().startsWith("-");

/** The problem of a cost. Prices are numbers, in a mapping or alone. */
function costProblem(cost: unknown): string | undefined {
  if (!isGiven(cost)) return undefined;
  const prices = isFields(cost) ? Object.entries(cost) : [["", cost] as const];
  const wrong = prices.find(
    ([, price]) => isGiven(price) && !(typeof price === "number" && Number.isFinite(price) && price >= 0),
  );
  if (!wrong) return undefined;
  return `cost${wrong[0] === "" ? "" : `.${wrong[0]}`} must be finite and not negative`;
}

/** The problem of an address. The message never contains the value, which may include a credential. */
function addressProblem(field: string, address: string): string | undefined {
  if (address === "" || isPlainAddress(address)) return undefined;
  return `${field} must be an HTTP(S) URL without credentials, query, or fragment`;
}

function isPlainAddress(address: string): boolean {
  if (!/^https?:\/\/[^/]/i.test(address) || /[\s?#\\]/.test(address) || !URL.canParse(address)) return false;
  const { username, password, hostname } = new URL(address);
  return username === "" && password === "" && hostname !== "" && !/^[^/]*\/\/[^/]*@/.test(address);
}

function outcomeProblem({ type, choices, levels }: Fields): string | undefined {
  const names = choiceNames(choices);
  const steps = Array.isArray(levels) ? levels.map(textOf) : [];
  switch (type) {
    case "boolean":
      return names.length + steps.length > 0 ? "boolean evaluators cannot define choices or levels" : undefined;
    case "choice":
      if (names.length < CHOICES_MIN || names.length > CHOICES_MAX || steps.length > 0)
        return `choice evaluators require ${CHOICES_MIN}-${CHOICES_MAX} choices and no levels`;
      return names.some(isBlank) ? "choice names must not be empty" : undefined;
    case "score":
      if (steps.length < LEVELS_MIN || steps.length > LEVELS_MAX || names.length > 0)
        return `score evaluators require ${LEVELS_MIN}-${LEVELS_MAX} levels and no choices`;
      return steps.some(isBlank) ? "score levels must not be empty" : undefined;
    default:
      return `unsupported evaluator type ${JSON.stringify(textOf(type))} (expected boolean, choice, or score)`;
  }
}

const providerProblem = (name: string, isProvider: (name: string) => boolean): string | undefined =>
  isProvider(name) ? undefined : `evaluators require provider ${EVALUATOR_PROVIDER}, got ${JSON.stringify(name)}`;

/** The providers of an agent file that evaluators can use. A named provider counts if it resolves to the provider of evaluators. */
export function evaluatorProviders(providers: unknown): (name: string) => boolean {
  return (name) => {
    if (name === EVALUATOR_PROVIDER) return true;
    const named = isFields(providers) && Object.hasOwn(providers, name) ? providers[name] : undefined;
    return isFields(named) && named.provider === EVALUATOR_PROVIDER && !isGiven(named.auth) && !isGiven(named.api_type);
  };
}

/** The problem of a tool guard with its named evaluator; undefined if the evaluator can be asked. */
export function evaluatorReferenceProblem(hook: HookDefinition, evaluators: EvaluatorFields): string | undefined {
  const name = hook.evaluator ?? "";
  const evaluator = evaluatorNamed(name, evaluators);
  if (!evaluator) return `unknown evaluator ${JSON.stringify(name)}`;
  const outcomes = Object.keys(hook.evaluator_policy?.decisions ?? {});
  if (evaluator.type === "boolean") {
    const stray = outcomes.find((outcome) => outcome !== "true" && outcome !== "false");
    return stray === undefined
      ? undefined
      : `unknown boolean outcome ${JSON.stringify(stray)} (expected true or false)`;
  }
  if (evaluator.type !== "choice")
    return `tool guards require a boolean or choice evaluator; ${JSON.stringify(name)} is of type ${textOf(evaluator.type)}`;
  const choices = choiceNames(evaluator.choices);
  const stray = outcomes.find((outcome) => !choices.includes(outcome));
  return stray === undefined ? undefined : `unknown evaluator choice ${JSON.stringify(stray)}`;
}

export function evaluatorNamed(name: string, evaluators: EvaluatorFields): Fields | undefined {
  const found = Object.hasOwn(evaluators, name) ? evaluators[name] : undefined;
  return isFields(found) ? found : undefined;
}

export function choiceNames(choices: unknown): string[] {
  if (Array.isArray(choices)) return choices.map(textOf);
  return isFields(choices) ? Object.keys(choices) : [];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
