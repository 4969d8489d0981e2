/** Parses and checks a policy's YAML text, with the line of every problem. Runs in a browser; depends only on text and hooks. */

import { isBuiltinIn } from "../builtins.ts";
import { isEventName, PROFILES, type Profile } from "../events.ts";
import type { HooksConfig } from "../hook.ts";
import { parseHooks } from "../parse.ts";
import { type Equipment, publishProblems } from "../placement.ts";
import { type EvaluatorSections, resolveEvaluators } from "../policy-evaluators.ts";
import type { Problem } from "../problem.ts";
import { PROFILE_RULES } from "../profiles.ts";
import { SHAPE_EXAMPLES } from "../shape-examples.ts";
import { SOURCE_BYTES_MAX } from "./source-limit.ts";
import type { TextProblem } from "./text-problems.ts";
import { PROBLEMS_MAX, readYaml, type YamlText } from "./yaml-text.ts";

export interface PolicyText {
  readonly profile: Profile;
  /** The parsed block; null if the text cannot be parsed. It cannot be published while problems remain. */
  readonly hooks: HooksConfig | null;
  readonly problems: readonly TextProblem[];
  /** A problem of the block with its position in the text. */
  placed(problem: Problem): TextProblem;
}

/**
 * The policy in `source`: a mapping with `hooks:` and optionally `profile:`, `evaluators:` and `routing:`; or only the hooks
 * block. Never throws: every error is a problem with its position.
 */
export function readPolicyText(source: string, has: Equipment): PolicyText {
  const tooLarge = sizeProblem(source);
  if (tooLarge) return refused([tooLarge]);
  const yaml = readYaml(source);
  if (yaml.problems.length > 0) return refused(yaml.problems);

  const { value, prefix, profile, sections, refusal } = locate(yaml.value());
  if (refusal) return refused([yaml.problemAt(refusal.at, "", refusal.message)], profile);
  const placed = placing(yaml, prefix);
  const parsed = parseHooks(value, profile);
  if (!parsed.ok) return { profile, hooks: null, problems: parsed.problems.slice(0, PROBLEMS_MAX).map(placed), placed };
  const known = { ...has, builtins: has.builtins.filter((name) => isBuiltinIn(name, profile)) };
  const { hooks, hookProblems, sectionProblems } = resolveEvaluators(parsed.hooks, sections);
  const problems = [
    ...sectionProblems.map(({ segments, path, message }) => yaml.problemAt(segments, path, message)),
    ...[...publishProblems(hooks, known, profile), ...hookProblems].map(placed),
  ];
  return { profile, hooks, problems: problems.slice(0, PROBLEMS_MAX), placed };
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
  // Every character has at least one byte, so only texts near the limit need counting.
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
  readonly sections: EvaluatorSections;
  readonly refusal?: { readonly at: readonly string[]; readonly message: string };
}

const BESIDE_HOOKS: readonly string[] = ["hooks", "profile", "version"];
/** The limit of events. Each unknown name is compared with every known one, and more names than events exist are not typing errors. */
const EVENTS_MAX = 100;

function locate(root: unknown): Located {
  const located = { value: root, prefix: [], profile: PROFILES[0], sections: {} };
  const refuse = (message: string, at: readonly string[] = [], profile: Profile = PROFILES[0]): Located => ({
    ...located,
    profile,
    refusal: { at, message },
  });
  if (root === null || root === undefined) return refuse("The policy is empty. Start with `hooks:`.");
  if (typeof root !== "object" || Array.isArray(root))
    return refuse(`A policy is a mapping, such as \`hooks: ${SHAPE_EXAMPLES.hooks}\`.`);
  const keys = Object.keys(root);
  if ("agents" in root && !("hooks" in root))
    return refuse("This is an agent file. Publish the `hooks:` block of one agent.", ["agents"]);
  if (!("hooks" in root)) {
    const areEvents = keys.some((key) => PROFILES.some((profile) => isEventName(key, profile)));
    if (!areEvents)
      return refuse(`A policy needs a \`hooks:\` mapping at its top, such as \`hooks: ${SHAPE_EXAMPLES.hooks}\`.`);
    return keys.length > EVENTS_MAX ? refuse(`${keys.length} events are more than exist.`) : located;
  }
  const stated = "profile" in root ? root.profile : PROFILES[0];
  const profile = PROFILES.find((known) => known === stated);
  if (!profile) {
    const written = typeof stated === "string" ? `"${stated}"` : "of another type than text";
    return refuse(`Unknown profile ${written}. Known: ${PROFILES.join(", ")}.`, ["profile"]);
  }
  const known = [...BESIDE_HOOKS, ...PROFILE_RULES[profile].sections];
  const stray = keys.find((key) => !known.includes(key));
  if (stray !== undefined)
    return refuse(`Unknown key "${stray}" beside \`hooks:\`. Known: ${known.join(", ")}.`, [stray], profile);
  if (typeof root.hooks === "object" && Object.keys(root.hooks ?? {}).length > EVENTS_MAX)
    return refuse(`${Object.keys(root.hooks ?? {}).length} events are more than exist.`, ["hooks"], profile);
  return { value: root.hooks, prefix: ["hooks"], profile, sections: root as EvaluatorSections }; // holds: a mapping of unknown values
}
