/** A policy's YAML text: read, checked, with every problem at its line. Runs in a browser; knows text and hooks only. */
import { isBuiltinIn } from "../builtins.ts";
import { isEventName, PROFILES, type Profile } from "../events.ts";
import type { HooksConfig } from "../hook.ts";
import { parseHooks } from "../parse.ts";
import { type Equipment, publishProblems } from "../placement.ts";
import type { Problem } from "../problem.ts";
import { SOURCE_BYTES_MAX } from "./source-limit.ts";
import type { TextProblem } from "./text-problems.ts";
import { PROBLEMS_MAX, readYaml, type YamlText } from "./yaml-text.ts";

export interface PolicyText {
  readonly profile: Profile;
  /** The block as it was read; null while it cannot be. Not publishable while there are problems. */
  readonly hooks: HooksConfig | null;
  readonly problems: readonly TextProblem[];
  /** A problem of the block at its place in the text. */
  placed(problem: Problem): TextProblem;
}

/**
 * The policy in `source`: a mapping with `hooks:` and, if wanted, `profile:`; or the hooks block alone.
 *
 * Errors: none; everything wrong is a problem with its place.
 */
export function readPolicyText(source: string, has: Equipment): PolicyText {
  const tooLarge = sizeProblem(source);
  if (tooLarge) return refused([tooLarge]);
  const yaml = readYaml(source);
  if (yaml.problems.length > 0) return refused(yaml.problems);

  const { value, prefix, profile, refusal } = locate(yaml.value());
  if (refusal) return refused([yaml.problemAt(refusal.at, "", refusal.message)], profile);
  const placed = placing(yaml, prefix);
  const parsed = parseHooks(value, profile);
  const known = { ...has, builtins: has.builtins.filter((name) => isBuiltinIn(name, profile)) };
  const problems = parsed.ok ? publishProblems(parsed.hooks, known, profile) : parsed.problems;
  return {
    profile,
    hooks: parsed.ok ? parsed.hooks : null,
    problems: problems.slice(0, PROBLEMS_MAX).map(placed),
    placed,
  };
}

function refused(problems: readonly TextProblem[], profile: Profile = PROFILES[0]): PolicyText {
  return { profile, hooks: null, problems, placed: ({ path, message }) => ({ ...START, path, message }) };
}

const START = { line: 1, column: 1, endLine: 1, endColumn: 1 };

const placing =
  (yaml: YamlText, prefix: readonly string[]) =>
  ({ segments, path, message }: Problem): TextProblem =>
    yaml.problemAt([...prefix, ...segments.slice(1)], path, message);

function sizeProblem(source: string): TextProblem | null {
  // Every character takes at least one byte: only texts near the limit need counting.
  const isOver =
    source.length > SOURCE_BYTES_MAX || (source.length * 3 > SOURCE_BYTES_MAX && bytesOf(source) > SOURCE_BYTES_MAX);
  if (!isOver) return null;
  const size = Math.ceil(bytesOf(source) / 1024);
  return {
    ...START,
    path: "",
    message: `A policy has at most 512 KiB; this text has ${size}. Split it into several policies.`,
  };
}

const bytesOf = (source: string): number => new TextEncoder().encode(source).length;

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
