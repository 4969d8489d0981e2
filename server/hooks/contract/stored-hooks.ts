/**
 * Reads a stored hooks block that was once published. A part that this release cannot read becomes a hook that denies: a rule must
 * never disappear because its text is no longer understood. Loads no schemas, because the local executor reads its policy document
 * with it.
 */

import { evaluatorPolicy, routingPolicy } from "./evaluator-policies.ts";
import { contractOf, type EventName, eventNames, isEventName, type Profile } from "./events.ts";
import type { HookDefinition, HooksConfig, MatcherEntry } from "./hook.ts";
import { type Problem, problemAt } from "./problem.ts";
import { PROFILE_RULES } from "./profiles.ts";
import { resolvedEvaluator } from "./resolved-evaluator.ts";
import { rules } from "./rules/schema.ts";
import { truncateText } from "./truncate-text.ts";

/** The `type` of a hook that replaces an unreadable part. No policy can be published with it. */
export const UNREADABLE = "unreadable";

export interface StoredHooks {
  /** The readable hooks. Every entry keeps its index in the stored block. */
  readonly hooks: HooksConfig;
  readonly problems: readonly Problem[];
  /** True if a problem concerns an unknown event, so every gate denies. */
  readonly deniesEveryGate: boolean;
}

export interface StoredHooksOptions {
  readonly profile: Profile;
  /** The profile whose gates deny for a problem without a known event; by default, the policy's profile. */
  readonly gatesOf?: Profile;
  /** The reason why a pattern does not compile. If absent, matchers are not checked. */
  readonly matcherComplaint?: (pattern: string) => string | null;
  /** The reason why a well-formed hook cannot run as intended. If absent, an entry may also lack hooks. */
  readonly meaningComplaint?: (hook: HookDefinition) => string | null;
}

/** The readable form of a stored block, whatever it is. */
export function readStoredHooks(value: unknown, options: StoredHooksOptions): StoredHooks {
  return new StoredReader(options).block(value);
}

/** A block in which every gate of the profile denies with the same reason. */
export function denyEveryGate(problem: Problem, profile: Profile): HooksConfig {
  const reader = new StoredReader({ profile });
  reader.denyAll(problem);
  return reader.hooks();
}

type Within = readonly (string | number)[];
type Fields = Readonly<Record<string, unknown>>;

const ENTRY_KEYS: ReadonlySet<string> = new Set(["matcher", "preempt_yolo", "hooks"]);
const NAME_CHARS_MAX = 100;
const REASON_CHARS_MAX = 500;

class StoredReader {
  private readonly problems: Problem[] = [];
  private readonly lists = new Map<EventName, object[]>();
  private deniesEveryGate = false;

  constructor(private readonly options: StoredHooksOptions) {}

  block(value: unknown): StoredHooks {
    if (!isFields(value)) this.denyAll(problemAt([], `the hooks are ${kindOf(value)}, not a mapping of events`));
    else for (const [name, list] of Object.entries(value)) if (list !== undefined) this.event(name, list);
    return { hooks: this.hooks(), problems: this.problems, deniesEveryGate: this.deniesEveryGate };
  }

  hooks(): HooksConfig {
    return Object.fromEntries(this.lists) as HooksConfig; // holds: each entry was checked for its event
  }

  denyAll(problem: Problem): void {
    const profile = this.options.gatesOf ?? this.options.profile;
    this.problems.push(problem);
    this.deniesEveryGate = true;
    for (const event of eventNames(profile))
      if (contractOf(event, profile).canBlock) this.denyAt(event, unreadableHook(problem));
  }

  private event(name: string, value: unknown): void {
    const { profile } = this.options;
    if (!isEventName(name, profile)) {
      const shown = truncateText(name, NAME_CHARS_MAX);
      this.denyAll(problemAt([shown], `"${shown}" is no event of profile ${profile}`));
      return;
    }
    // The position of the entries. Hooks for problems elsewhere follow them.
    const before = this.lists.get(name) ?? [];
    this.lists.set(name, []);
    const items = Array.isArray(value) ? value : isFields(value) ? [value] : null;
    if (items === null) this.refuseEvent(name, `the entries are ${kindOf(value)}, not a list`);
    const matchesTools = contractOf(name, profile).matchesTools;
    const others: object[] = [];
    for (const [index, item] of (items ?? []).entries())
      if (matchesTools) this.entry(name, index, item, others);
      else this.push(name, this.hook([name, index], item));
    this.lists.get(name)?.push(...others, ...before);
  }

  /** Reads one entry at its index. An entry with an unclear lane also denies on the other lane, through `others`. */
  private entry(event: EventName, index: number, item: unknown, others: object[]): void {
    const within = [event, index];
    const read = isFields(item) ? this.entryFields(within, item) : `the entry is ${kindOf(item)}, not a mapping`;
    if (typeof read !== "string") {
      this.push(event, read);
      return;
    }
    const problem = problemAt(within, read);
    this.problems.push(problem);
    const matcher =
      isFields(item) && Object.keys(item).every((key) => ENTRY_KEYS.has(key)) ? this.matcherOf(item) : null;
    const denial = { ...(matcher !== null && { matcher }), hooks: [unreadableHook(problem)] };
    this.push(event, denial);
    if (contractOf(event, this.options.profile).hasPreemptLane) others.push({ ...denial, preempt_yolo: true });
  }

  /** The entry with all its hooks, or the reason why it cannot be read. */
  private entryFields(within: Within, item: Fields): MatcherEntry | string {
    const stray = Object.keys(item).find((key) => !ENTRY_KEYS.has(key));
    if (stray !== undefined) return `the key "${truncateText(stray, NAME_CHARS_MAX)}" is unknown`;
    const { matcher = null, preempt_yolo = null, hooks } = item;
    if (matcher !== null && typeof matcher !== "string") return `the matcher is ${kindOf(matcher)}, not a text`;
    const complaint = this.options.matcherComplaint?.(matcher ?? "") ?? null;
    if (complaint !== null) return `invalid matcher: ${complaint}`;
    if (preempt_yolo !== null && typeof preempt_yolo !== "boolean")
      return `preempt_yolo is ${kindOf(preempt_yolo)}, not true or false`;
    const items = Array.isArray(hooks) ? hooks : isFields(hooks) ? [hooks] : null;
    if (items === null) return `the hooks are ${kindOf(hooks)}, not a list`;
    if (items.length === 0 && this.options.meaningComplaint) return "the entry has no hooks";
    return {
      ...(matcher !== null && { matcher }),
      ...(preempt_yolo !== null && { preempt_yolo }),
      hooks: items.map((hook, at) => this.hook([...within, "hooks", at], hook)),
    };
  }

  /** The matcher of an entry with other unreadable fields; null if it could mean any tool. */
  private matcherOf({ matcher }: Fields): string | null {
    if (typeof matcher !== "string") return null;
    return (this.options.matcherComplaint?.(matcher) ?? null) === null ? matcher : null;
  }

  private hook(within: Within, item: unknown): HookDefinition {
    const shape = isFields(item)
      ? hookComplaint(item, this.options.profile)
      : `the hook is ${kindOf(item)}, not a mapping`;
    const hook = item as HookDefinition; // holds if `shape` is null: each field has the hook's own type
    const complaint = shape ?? this.options.meaningComplaint?.(hook) ?? null;
    if (complaint === null) return hook;
    const problem = problemAt(within, complaint);
    this.problems.push(problem);
    return unreadableHook(problem);
  }

  private refuseEvent(event: EventName, message: string): void {
    const problem = problemAt([event], message);
    this.problems.push(problem);
    this.denyAt(event, unreadableHook(problem));
  }

  private denyAt(event: EventName, hook: HookDefinition): void {
    const { matchesTools, hasPreemptLane } = contractOf(event, this.options.gatesOf ?? this.options.profile);
    this.push(event, matchesTools ? { hooks: [hook] } : hook);
    if (hasPreemptLane) this.push(event, { preempt_yolo: true, hooks: [hook] });
  }

  private push(event: EventName, item: object): void {
    const list = this.lists.get(event);
    if (list) list.push(item);
    else this.lists.set(event, [item]);
  }
}

/** The hook that replaces an unreadable part. Its command is the problem with its path. */
function unreadableHook({ path, message }: Problem): HookDefinition {
  const command = truncateText(`${path}: ${message}`, REASON_CHARS_MAX);
  return { type: UNREADABLE, name: "unreadable rule", command, on_error: "ignore", ungrantable: true };
}

const isText = (value: unknown): boolean => typeof value === "string";
const isFlag = (value: unknown): boolean => typeof value === "boolean";

/** The fields of a hook, as in `hookDefinition` in hook.ts, and those that parsing a policy adds. */
export const HOOK_FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: isText,
  type: isText,
  command: isText,
  args: (value) => Array.isArray(value) && value.every(isText),
  timeout: Number.isFinite,
  env: (value) => isFields(value) && Object.values(value).every(isText),
  working_dir: isText,
  on_error: isText,
  model: isText,
  prompt: isText,
  schema: isText,
  system_prompt: isText,
  evaluator: isText,
  evaluator_policy: (value) => evaluatorPolicy.safeParse(value).success,
  routing_policy: (value) => routingPolicy.safeParse(value).success,
  resolved_evaluator: (value) => resolvedEvaluator.safeParse(value).success,
  strict_output: isFlag,
  run_on: isText,
  network: isFlag,
  ungrantable: isFlag,
  judge: isText,
  rules: (value) => rules.safeParse(value).success,
};

/** The reason why a hook cannot be read; null if it can. An absent key may also be null. */
function hookComplaint(hook: Fields, profile: Profile): string | null {
  for (const [key, value] of Object.entries(hook)) {
    const isKnown = Object.hasOwn(HOOK_FIELDS, key) && !PROFILE_RULES[profile].unknownHookKeys.includes(key);
    const isRight = isKnown ? HOOK_FIELDS[key] : undefined;
    if (!isRight) return `the key "${truncateText(key, NAME_CHARS_MAX)}" is unknown`;
    if (value !== undefined && value !== null && !isRight(value)) return `${key} is ${kindOf(value)}`;
  }
  return typeof hook.type === "string" && hook.type !== "" ? null : "type is required";
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  return typeof value === "string" ? "a text" : typeof value === "number" ? "a number" : "true or false";
}
