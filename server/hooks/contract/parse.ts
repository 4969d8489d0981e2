/** Parses a hooks block. Every problem has its path, in document order. */
import { z } from "zod";
import { didYouMean } from "./did-you-mean.ts";
import {
  contractOf,
  type EventContract,
  type EventName,
  eventNames,
  isEventName,
  judgesCalls,
  PROFILES,
  type Profile,
} from "./events.ts";
import {
  type HookDefinition,
  type HooksConfig,
  hookDefinitionOf,
  LIMITS,
  type MatcherEntry,
  matcherEntry,
} from "./hook.ts";
import { modelComplaint, placementComplaint } from "./hook-placement.ts";
import { blocksInVain, hookComplaints } from "./hook-rules.ts";
import { matcherProblem } from "./matcher-problem.ts";
import { MATCHERS_TOO_LARGE, MatcherSizes } from "./matcher-size.ts";
import { type Problem, problemAt } from "./problem.ts";
import { type CheckStage, ProblemList } from "./problem-order.ts";
import { PROFILE_RULES } from "./profiles.ts";
import { nameProblems } from "./rules/name-problems.ts";
import { ruleIssueProblems } from "./rules/rule-problems.ts";
import { SHAPE_EXAMPLES } from "./shape-examples.ts";

export type ParsedHooks =
  | { readonly ok: true; readonly hooks: HooksConfig }
  | { readonly ok: false; readonly problems: readonly Problem[] };

type Place = readonly (string | number)[];
type Fields = Record<string, unknown>;

/**
 * Parses the value below `hooks:` of a YAML or JSON document. Returns the block, or all its problems. Null counts as absent for
 * any optional key; an absent value is an empty block.
 */
export function parseHooks(value: unknown, profile: Profile): ParsedHooks {
  const reader = new Reader(profile);
  const hooks = reader.block(value);
  const problems = reader.problems();
  return problems.length === 0 ? { ok: true, hooks } : { ok: false, problems };
}

class Reader {
  private readonly found: ProblemList;
  private hooksSeen = 0;
  private readonly matchers = new MatcherSizes();

  constructor(private readonly profile: Profile) {
    this.found = new ProblemList(profile);
  }

  problems(): readonly Problem[] {
    return this.found.list();
  }

  block(value: unknown): HooksConfig {
    if (value === undefined || value === null) return {};
    if (!isFields(value))
      return this.refuse([], `must be a mapping of events to hooks, such as ${SHAPE_EXAMPLES.hooks}`) ?? {};
    const hooks: Record<string, MatcherEntry[] | HookDefinition[]> = {};
    for (const [event, list] of Object.entries(value)) {
      if (!isEventName(event, this.profile)) this.refuse([event], unknownEvent(event, this.profile));
      else if (list !== null && list !== undefined) hooks[event] = this.event(event, list);
    }
    if (this.hooksSeen > LIMITS.hooksMax) {
      this.refuse([], `a policy holds at most ${LIMITS.hooksMax} hooks; this one has ${this.hooksSeen}`);
    }
    if (this.matchers.isTooMuch) this.refuse([], MATCHERS_TOO_LARGE);
    return hooks as HooksConfig; // holds: every key passed isEventName, and event() picks the list's shape by contract
  }

  private event(event: EventName, value: unknown): MatcherEntry[] | HookDefinition[] {
    const contract = contractOf(event, this.profile);
    const place = [event];
    if (contract.matchesTools) {
      const entries = this.list(place, value, "hook event must be a matcher or a list of matchers");
      return present(entries.map((item, index) => this.entry(event, [...place, index], item)));
    }
    const items = this.list(place, value, "hook event must be a hook or a list of hooks");
    return present(items.map((item, index) => this.hook(event, [...place, index], item)));
  }

  private entry(event: EventName, place: Place, value: unknown): MatcherEntry | undefined {
    if (!isFields(value))
      return this.refuse(place, `must be a mapping with matcher and hooks, such as ${SHAPE_EXAMPLES.entry}`);
    const { hooks: listed, ...rest } = withoutNulls(value);
    const entry = this.check(matcherEntry, place, rest);
    const items = listed === undefined ? [] : this.list([...place, "hooks"], listed, "must be a list of hooks");
    if (items.length === 0 && (listed === undefined || Array.isArray(listed))) {
      this.refuse(place, "at least one hook is required", "matcher");
    }
    const hooks = present(items.map((item, index) => this.hook(event, [...place, "hooks", index], item)));
    if (!entry) return undefined;
    this.matchers.add(entry.matcher ?? "");
    if (PROFILE_RULES[this.profile].checksAtLoad) {
      const wrong = this.matchers.isTooMuch ? undefined : matcherProblem([...place], entry.matcher ?? "");
      if (wrong) this.found.add(wrong, "matcher", place);
      if (entry.preempt_yolo !== undefined && !contractOf(event, this.profile).hasPreemptLane) {
        this.refuse(place, "preempt_yolo is only valid on pre_tool_use", "matcher");
      }
    }
    return { ...entry, hooks };
  }

  private hook(event: EventName, place: Place, value: unknown): HookDefinition | undefined {
    this.hooksSeen++;
    if (!isFields(value))
      return this.refuse(place, `must be a hook: a mapping with a type, such as ${SHAPE_EXAMPLES.hook}`);
    const hook = this.check(hookDefinitionOf(this.profile), place, withoutNulls(value));
    if (!hook) return undefined;
    const contract = contractOf(event, this.profile);
    this.eventChecks(event, place, hook, contract);
    for (const complaint of hookComplaints(hook, this.profile)) this.refuse(place, complaint, "definition");
    if (hook.type === "rules" && !judgesCalls(contract))
      this.refuse([...place, "type"], noCallAt(event, this.profile), "definition");
    for (const { at, message } of nameProblems(hook.rules ?? [])) this.refuse([...place, ...at], message, "definition");
    if (blocksInVain(hook, contract, this.profile))
      this.refuse([event], "on_error block is not supported by this event", "on_error");
    return hook;
  }

  /** The checks of a hook on its event. Their problems belong to the event, but the placement is identified by its entry. */
  private eventChecks(event: EventName, place: Place, hook: HookDefinition, contract: EventContract): void {
    if (!PROFILE_RULES[this.profile].checksPlacement) return;
    const model = modelComplaint(hook, contract);
    if (model !== undefined) this.refuse([event], model, "model");
    const misplaced = placementComplaint(hook, event, contract);
    if (misplaced !== undefined) this.refuse([event], misplaced, "placement", place);
  }

  /** The items of a list. If the profile permits it, a single mapping counts as a list of one. */
  private list(place: Place, value: unknown, otherwise: string): readonly unknown[] {
    if (Array.isArray(value)) return value;
    if (!isFields(value)) this.refuse(place, otherwise);
    else if (PROFILE_RULES[this.profile].singleForList) return [value];
    else this.refuse(place, "must be a list; a single mapping is understood in profile 2026-08 only");
    return [];
  }

  private check<T extends z.ZodType>(schema: T, place: Place, value: Fields): z.infer<T> | undefined {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const words = this.shapeWords(place);
    for (const issue of parsed.error.issues) {
      if ((schema as z.ZodType) !== matcherEntry && issue.path[0] === "rules") {
        for (const { at, message } of ruleIssueProblems(issue, value)) this.refuse([...place, ...at], message);
        continue;
      }
      const within = [...place, ...issue.path.map((step) => (typeof step === "number" ? step : String(step)))];
      if (issue.code !== "unrecognized_keys") this.refuse(within, `${issue.message}${words}`);
      else
        for (const key of issue.keys)
          this.refuse([...within, key], `unknown key${didYouMean(key, keysOf(schema))}${words}`);
    }
    return undefined;
  }

  /** docker-agent's own message for an unreadable entry, added after ours. */
  private shapeWords([event]: Place): string {
    const { checksPlacement } = PROFILE_RULES[this.profile];
    if (!checksPlacement || typeof event !== "string" || !isEventName(event, this.profile)) return "";
    const what = contractOf(event, this.profile).matchesTools
      ? "a matcher or a list of matchers"
      : "a hook or a list of hooks";
    return ` (hook event must be ${what})`;
  }

  private refuse(place: Place, message: string, stage: CheckStage = "shape", within: Place = place): undefined {
    this.found.add(problemAt(place, message), stage, within);
  }
}

function noCallAt(event: EventName, profile: Profile): string {
  const judging = eventNames(profile).filter((name) => judgesCalls(contractOf(name, profile)));
  return `rules decide about a tool call, and ${event} takes no verdict about one: put them on ${judging.join(" or ")}`;
}

function unknownEvent(event: string, profile: Profile): string {
  const elsewhere = PROFILES.find((other) => isEventName(event, other));
  if (elsewhere) return `event "${event}" exists only in profile ${elsewhere}`;
  return `unknown event "${event}"${didYouMean(event, eventNames(profile))}`;
}

function keysOf(schema: z.ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function present<T>(items: readonly (T | undefined)[]): T[] {
  return items.filter((item) => item !== undefined);
}
