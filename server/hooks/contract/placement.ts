/** Hooks that this server can run, and hooks that run on the agent's machine. */
import { templateProblem } from "@quarterdeck/go-template/syntax/parse";
import { builtinFacts, type RunLocation } from "./builtins.ts";
import { didYouMean } from "./did-you-mean.ts";
import type { EventName } from "./events.ts";
import { type HookDefinition, type HooksConfig, type MatcherEntry, ON_ERROR } from "./hook.ts";
import { matcherProblem } from "./matcher-problem.ts";
import { type Problem, problemAt } from "./problem.ts";
import { DEFAULT_PROFILE, PROFILE_RULES, type Profile } from "./profiles.ts";
import { parseRepeatRules } from "./repeat-rules.ts";

/** The handlers that a server has in addition to command hooks. */
export interface Equipment {
  readonly builtins: readonly string[];
  readonly models: boolean;
  /** True if evaluators can be asked; defaults to false. */
  readonly evaluators?: boolean;
}

/**
 * The location where a hook runs. Model hooks always run on the server, which has the credentials. A builtin runs at `run_on` if
 * it can run there, else at its default location.
 */
export function runsOn(hook: HookDefinition): RunLocation {
  if (hook.type === "command" || hook.type === "rules") return hook.run_on ?? "server";
  const facts = hook.type === "builtin" ? builtinFacts(hook.command) : undefined;
  if (!facts) return "server";
  return hook.run_on && facts.places.includes(hook.run_on) ? hook.run_on : facts.places[0];
}

/** True if a hook runs on the result of every other rewrite, wherever it is listed and wherever those ran. */
export function runsLast(hook: HookDefinition): boolean {
  return hook.type === "builtin" && builtinFacts(hook.command)?.runsLast === true;
}

/**
 * The problems that prevent the publication of a readable block: builtins or models that this server lacks, a builtin that cannot
 * run at its location, or (profile 2026-07 tolerates them) a matcher or `on_error` that would silently disable or weaken a guard.
 */
export function publishProblems(hooks: HooksConfig, has: Equipment, profile: Profile = DEFAULT_PROFILE): Problem[] {
  const problems: Problem[] = [];
  for (const { place, hook, matcher } of everyHook(hooks)) {
    const wrong = place.at(-1) === 0 ? matcherProblem(place.slice(0, 2), matcher ?? "") : undefined;
    if (wrong) problems.push(wrong);
    if (hook.on_error && !(ON_ERROR as readonly string[]).includes(hook.on_error)) {
      problems.push(problemAt(place, "on_error must be warn, ignore, or block"));
    }
    if (hook.type === "builtin") {
      const message = builtinProblem(hook, has.builtins);
      if (message) problems.push(problemAt(place, message));
    }
    if (hook.type === "model") problems.push(...modelProblems(hook, place, has, PROFILE_RULES[profile].replySchemas));
    if (hook.type === "evaluator" && has.evaluators !== true)
      problems.push(problemAt(place, "this server cannot run evaluator hooks yet: no evaluator is connected"));
  }
  return problems;
}

function builtinProblem(hook: HookDefinition, available: readonly string[]): string | undefined {
  const name = hook.command ?? "";
  const facts = builtinFacts(name);
  if (!facts || !available.includes(name)) {
    const known = available.length === 0 ? "none are available yet" : `available: ${available.join(", ")}`;
    return `there is no builtin called "${name}"${didYouMean(name, available)} (${known})`;
  }
  if (!hook.run_on || facts.places.includes(hook.run_on)) return argumentsProblem(name, hook.args ?? []);
  const why = facts.needsAgent ? `: it ${facts.needsAgent}` : "";
  return `${name} cannot run on the ${hook.run_on}${why}. Leave run_on out, or write run_on: ${facts.places[0]}`;
}

/** Formal arguments are checked before publication: a guard without its rules would deny every call. */
function argumentsProblem(name: string, args: readonly string[]): string | undefined {
  if (name !== "repeat_guard") return undefined;
  const rules = parseRepeatRules(args);
  return typeof rules === "string" ? rules : undefined;
}

function modelProblems(
  hook: HookDefinition,
  place: PlacedHook["place"],
  has: Equipment,
  schemas: readonly string[],
): Problem[] {
  const problems: Problem[] = [];
  if (!has.models) problems.push(problemAt(place, "this server cannot run model hooks yet: no model is connected"));
  if (hook.model?.trim() === "") problems.push(problemAt([...place, "model"], "the model has no name"));
  if (hook.prompt?.trim() === "") problems.push(problemAt([...place, "prompt"], "the prompt says nothing"));
  if (hook.schema && !schemas.includes(hook.schema)) {
    const known = `${didYouMean(hook.schema, schemas)} (available: ${schemas.join(", ")})`;
    problems.push(problemAt([...place, "schema"], `there is no schema called "${hook.schema}"${known}`));
  }
  const unreadable = templateProblem(hook.prompt ?? "");
  if (unreadable) problems.push(problemAt([...place, "prompt"], `the prompt is not a template: ${unreadable}`));
  return problems;
}

/** A hook with its event, its matcher and its path below `hooks`. */
export interface PlacedHook {
  readonly event: EventName;
  readonly matcher?: string;
  readonly place: readonly (string | number)[];
  readonly hook: HookDefinition;
}

/** Every hook of a block in configuration order. */
export function everyHook(hooks: HooksConfig): PlacedHook[] {
  const placed: PlacedHook[] = [];
  for (const [name, entries] of Object.entries(hooks)) {
    const event = name as EventName; // holds: a HooksConfig has no other keys
    (entries as readonly (MatcherEntry | HookDefinition)[]).forEach((entry, index) => {
      if (!isEntry(entry)) placed.push({ event, place: [event, index], hook: entry });
      else
        (entry.hooks ?? []).forEach((hook, at) => {
          placed.push({ event, matcher: entry.matcher ?? "", place: [event, index, "hooks", at], hook });
        });
    });
  }
  return placed;
}

export function isEntry(entry: MatcherEntry | HookDefinition): entry is MatcherEntry {
  return "hooks" in entry;
}
