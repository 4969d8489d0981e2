/** A policy's YAML text: read, checked, with every problem at its line. Knows text and hooks, no database. */
import { isAlias, isCollection, isNode, LineCounter, parseDocument, visit } from "yaml";
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

/** What this server can run. Builtins and judges have their registries; nothing is in them yet. */
const AVAILABLE = { builtins: [], models: false };
const PROBLEMS_MAX = 50;
const DEPTH_MAX = 64;

export interface ReadPolicy {
  readonly profile: Profile;
  /** Null while the text has problems. */
  readonly hooks: HooksConfig | null;
  readonly problems: readonly PolicyProblem[];
}

type Document = ReturnType<typeof parseDocument>;

/**
 * The policy in `source`: a mapping with `hooks:` and, if wanted, `profile:`; or the hooks block alone.
 *
 * Errors: none; everything wrong is a problem with its place.
 */
export function readPolicy(source: string): ReadPolicy {
  const lines = new LineCounter();
  const document = parseDocument(source, {
    lineCounter: lines,
    uniqueKeys: true,
    prettyErrors: false,
    stringKeys: true,
  });
  const at = (start: number, end: number, path: string, message: string): PolicyProblem => {
    const from = lines.linePos(start);
    const to = lines.linePos(Math.max(end, start));
    return { path, message, line: from.line, column: from.col, endLine: to.line, endColumn: to.col };
  };
  const refuse = (problems: PolicyProblem[], profile: Profile = "2026-07") => ({ profile, hooks: null, problems });

  if (document.errors.length > 0)
    return refuse(
      document.errors.slice(0, PROBLEMS_MAX).map((error) => at(error.pos[0], error.pos[1], "", error.message)),
    );
  const shape = shapeProblem(document);
  if (shape) return refuse([at(shape.start, shape.end, "", shape.message)]);

  const root: unknown = document.toJS();
  const { value, prefix, profile, message } = locate(root);
  if (message !== null) return refuse([at(0, 0, "", message)], profile);
  const place = (problem: Problem): PolicyProblem => {
    const [start, end] = rangeOf(document, [...prefix, ...problem.segments.slice(1)]);
    return at(start, end, problem.path, problem.message);
  };
  const parsed = parseHooks(value, profile);
  if (!parsed.ok) return refuse(parsed.problems.slice(0, PROBLEMS_MAX).map(place), profile);
  // A guard that vanishes is refused here even where the older profile would drop it quietly.
  const vanishing = compile({ sources: [{ origin: {}, hooks: parsed.hooks }], profile, kinds: [] }).problems;
  const problems = [...vanishing, ...publishProblems(parsed.hooks, AVAILABLE)].slice(0, PROBLEMS_MAX).map(place);
  return { profile, hooks: problems.length > 0 ? null : parsed.hooks, problems };
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

/** Aliases and endless nesting are how a small text becomes a large value. */
function shapeProblem(document: Document): { start: number; end: number; message: string } | null {
  let found: { start: number; end: number; message: string } | null = null;
  visit(document, (_key, node, path) => {
    if (!isNode(node)) return undefined;
    const [start = 0, end = start] = node.range ?? [];
    if (isAlias(node))
      found = { start, end, message: "Aliases (*name) are not taken in a policy. Write the value out." };
    else if (isCollection(node) && path.length > DEPTH_MAX * 2)
      found = { start, end, message: `Nested deeper than ${DEPTH_MAX} levels.` };
    return found ? visit.BREAK : undefined;
  });
  return found;
}

interface Located {
  readonly value: unknown;
  readonly prefix: readonly string[];
  readonly profile: Profile;
  readonly message: string | null;
}

function locate(root: unknown): Located {
  const located = { value: root, prefix: [], profile: PROFILES[0], message: null };
  if (root === null || root === undefined) return { ...located, message: "The policy is empty. Start with `hooks:`." };
  if (typeof root !== "object" || Array.isArray(root))
    return { ...located, message: "A policy is a mapping that starts with `hooks:`." };
  const keys = Object.keys(root);
  if ("agents" in root && !("hooks" in root))
    return { ...located, message: "This is an agent file. Publish the `hooks:` block of one agent." };
  if (!("hooks" in root)) {
    const areEvents = keys.some((key) => PROFILES.some((profile) => isEventName(key, profile)));
    return areEvents ? located : { ...located, message: "A policy needs a `hooks:` mapping at its top." };
  }
  const stated = "profile" in root ? String(root.profile) : PROFILES[0];
  const profile = PROFILES.find((known) => known === stated);
  const stray = keys.find((key) => key !== "hooks" && key !== "profile" && key !== "version");
  if (!profile) return { ...located, message: `Unknown profile "${stated}". Known: ${PROFILES.join(", ")}.` };
  if (stray)
    return { ...located, profile, message: `Unknown key "${stray}" beside \`hooks:\`. Known: profile, hooks.` };
  return { value: root.hooks, prefix: ["hooks"], profile, message: null };
}

/** The source range of the deepest node that exists on `path`. */
function rangeOf(document: Document, path: readonly (string | number)[]): [number, number] {
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return [node.range[0], node.range[1]];
  }
  return [0, 0];
}
