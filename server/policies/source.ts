/** A policy's YAML text: read, checked, with every problem at its line. Knows text and hooks, no database. */
import {
  compile,
  type HookDefinition,
  type HooksConfig,
  isEventName,
  type MatcherEntry,
  PROFILES,
  type Problem,
  type Profile,
  parseHooks,
  publishProblems,
  runsOn,
} from "../hooks/index.ts";
import type { CheckView, PolicyProblem } from "./schema.ts";
import { PROBLEMS_MAX, readYaml } from "./yaml-text.ts";

/** What this server can run. Builtins and judges have their registries; nothing is in them yet. */
const AVAILABLE = { builtins: [], models: false };

export interface ReadPolicy {
  readonly profile: Profile;
  /** Null while the text has problems. */
  readonly hooks: HooksConfig | null;
  readonly problems: readonly PolicyProblem[];
}

/**
 * The policy in `source`: a mapping with `hooks:` and, if wanted, `profile:`; or the hooks block alone.
 *
 * Errors: none; everything wrong is a problem with its place.
 */
export function readPolicy(source: string): ReadPolicy {
  const yaml = readYaml(source);
  const refuse = (problems: readonly PolicyProblem[], profile: Profile = "2026-07") => ({
    profile,
    hooks: null,
    problems,
  });
  if (yaml.problems.length > 0) return refuse(yaml.problems);

  const { value, prefix, profile, refusal } = locate(yaml.value());
  if (refusal) return refuse([yaml.problemAt(refusal.at, "", refusal.message)], profile);
  const placed = (problems: readonly Problem[]) =>
    problems
      .slice(0, PROBLEMS_MAX)
      .map(({ segments, path, message }) => yaml.problemAt([...prefix, ...segments.slice(1)], path, message));
  const parsed = parseHooks(value, profile);
  if (!parsed.ok) return refuse(placed(parsed.problems), profile);
  // A guard that vanishes is refused here even where the older profile would drop it quietly.
  const vanishing = compile({ sources: [{ origin: {}, hooks: parsed.hooks }], profile, kinds: [] }).problems;
  const problems = placed(once([...vanishing, ...publishProblems(parsed.hooks, AVAILABLE)]));
  return { profile, hooks: problems.length > 0 ? null : parsed.hooks, problems };
}

/** The compiler and the publisher may say the same of one place. */
function once(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values()];
}

/** What the editor shows beside the text. */
export function checkPolicy(source: string): CheckView {
  const { profile, hooks, problems } = readPolicy(source);
  return { profile, problems: [...problems], events: hooks ? eventsOf(hooks) : [] };
}

/** Hooks per event of a stored block. */
export function eventsOf(hooks: HooksConfig): CheckView["events"] {
  return Object.entries(hooks).map(([event, entries]) => {
    const all = entries.flatMap((entry: MatcherEntry | HookDefinition) =>
      "hooks" in entry ? (entry.hooks ?? []) : [entry as HookDefinition],
    );
    const agentHooks = all.filter((hook) => runsOn(hook) === "agent").length;
    return { event, hooks: all.length, agentHooks };
  });
}

export function countHooks(hooks: HooksConfig): number {
  return eventsOf(hooks).reduce((sum, event) => sum + event.hooks, 0);
}

interface Located {
  readonly value: unknown;
  readonly prefix: readonly string[];
  readonly profile: Profile;
  readonly refusal?: { readonly at: readonly string[]; readonly message: string };
}

const BESIDE_HOOKS = ["hooks", "profile", "version"];
/** More events than exist are not typing slips; each unknown one would be compared with every known one. */
const EVENTS_MAX = 100;

function locate(root: unknown): Located {
  const located = { value: root, prefix: [], profile: PROFILES[0] };
  const refuse = (message: string, at: readonly string[] = [], profile: Profile = PROFILES[0]): Located => ({
    ...located,
    profile,
    refusal: { at, message },
  });
  if (root === null || root === undefined) return refuse("The policy is empty. Start with `hooks:`.");
  if (typeof root !== "object" || Array.isArray(root))
    return refuse("A policy is a mapping that starts with `hooks:`.");
  const keys = Object.keys(root);
  if ("agents" in root && !("hooks" in root))
    return refuse("This is an agent file. Publish the `hooks:` block of one agent.", ["agents"]);
  if (!("hooks" in root)) {
    const areEvents = keys.some((key) => PROFILES.some((profile) => isEventName(key, profile)));
    if (!areEvents) return refuse("A policy needs a `hooks:` mapping at its top.");
    return keys.length > EVENTS_MAX ? refuse(`${keys.length} events are more than exist.`) : located;
  }
  const stated = "profile" in root ? root.profile : PROFILES[0];
  const profile = PROFILES.find((known) => known === stated);
  if (!profile) {
    const written = typeof stated === "string" ? `"${stated}"` : "of another type than text";
    return refuse(`Unknown profile ${written}. Known: ${PROFILES.join(", ")}.`, ["profile"]);
  }
  const stray = keys.find((key) => !BESIDE_HOOKS.includes(key));
  if (stray !== undefined)
    return refuse(`Unknown key "${stray}" beside \`hooks:\`. Known: ${BESIDE_HOOKS.join(", ")}.`, [stray], profile);
  if (typeof root.hooks === "object" && Object.keys(root.hooks ?? {}).length > EVENTS_MAX)
    return refuse(`${Object.keys(root.hooks ?? {}).length} events are more than exist.`, ["hooks"], profile);
  return { value: root.hooks, prefix: ["hooks"], profile };
}
