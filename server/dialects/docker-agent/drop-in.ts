/**
 * docker-agent's rules for a hook file that is not an agent file: a drop-in file, or the hooks of the user's settings. One mistake
 * voids the whole file, and docker-agent reports it only in its log. Pure.
 */
import { describeProblem, type Problem, parseHooks } from "@quarterdeck/hooks/contract/config";
import { parse, YAMLParseError } from "yaml";
import { isEventName, type Profile } from "../../hooks/contract/events.ts";
import { isObject, type JsonObject, plain } from "../settings/values.ts";
import { LEFT_OUT_EVENTS } from "./releases.ts";

export type DropIn =
  | { readonly isInForce: true; readonly hooks: JsonObject }
  /** `problem` completes "It is skipped whole: ...". */
  | { readonly isInForce: false; readonly problem: string };

const ALIASES_MAX = 100;
const NATIVE_TYPES: ReadonlySet<unknown> = new Set(["command", "builtin", "model"]);

/** The hooks of a drop-in file, with the keys that a profile knows. */
export function readDropIn(text: string, profile: Profile): DropIn {
  let value: unknown;
  try {
    value = plain(parse(text, { maxAliasCount: ALIASES_MAX }));
  } catch (error) {
    const place = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    return { isInForce: false, problem: place === undefined ? "it is no YAML" : `it is no YAML at line ${place}` };
  }
  return value === null || value === undefined ? { isInForce: true, hooks: {} } : checkHooks(value, profile);
}

/** The same for a parsed block of hooks. */
export function checkHooks(value: unknown, profile: Profile): DropIn {
  if (!isObject(value)) return { isInForce: false, problem: "it holds no mapping of events" };
  const control = Object.keys(value).find((event) => LEFT_OUT_EVENTS.has(event) && !isEventName(event, profile));
  if (control !== undefined)
    return { isInForce: false, problem: `${control} is an event that releases of profile ${profile} do not know` };
  const hooks = withLists(value);
  const parsed = parseHooks(hooks, profile);
  if (!parsed.ok) return { isInForce: false, problem: textOf(parsed.problems[0]) };
  const own = handlersOf(hooks).find(({ type, run_on: place }) => place !== undefined || !NATIVE_TYPES.has(type));
  if (own !== undefined)
    return { isInForce: false, problem: "it has hooks in the words of a policy, which docker-agent does not know" };
  return { isInForce: true, hooks };
}

/** Since 1.103, a single mapping counts as a list of one. */
function withLists(hooks: JsonObject): JsonObject {
  const lists: JsonObject = Object.create(null);
  for (const [event, entries] of Object.entries(hooks))
    lists[event] = (isObject(entries) ? [entries] : entries) ?? null;
  for (const entries of Object.values(lists))
    if (Array.isArray(entries))
      for (const entry of entries) if (isObject(entry) && isObject(entry.hooks)) entry.hooks = [entry.hooks];
  return lists;
}

const textOf = (problem: Problem | undefined): string =>
  problem === undefined ? "it cannot be read" : describeProblem(problem);

/** Each hook of a block, with or without a matcher. A single mapping counts as a list of one. */
export function handlersOf(hooks: JsonObject): JsonObject[] {
  return Object.values(hooks).flatMap((entries) =>
    listOf(entries).flatMap((entry) => (entry.hooks === undefined ? [entry] : listOf(entry.hooks))),
  );
}

/** The mappings in a list. A single mapping counts as a list of one. */
export const listOf = (value: unknown): JsonObject[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is JsonObject => isObject(one));

/** The control events among the events of a file: in a shared file, they prevent every agent without `routing` from loading. */
export const controlEventsIn = (hooks: JsonObject): string[] =>
  Object.keys(hooks).filter((event) => event === "before_agent_run" || event === "after_agent_complete");
