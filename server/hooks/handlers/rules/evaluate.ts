/** Evaluates rules on a call: the strictest verdict of the matching rules counts. Pure. */
import type { ReadCall } from "../../calls/call.ts";
import type { CallPath, CommandFacts } from "../../calls/command-facts.ts";
import { globMatches, nameMatches } from "../../calls/globs.ts";
import { hostMatches, isOfClass } from "../../calls/hosts.ts";
import type { SqlStatement } from "../../calls/sql.ts";
import type { ExtensionKind } from "../../contract/extension-kinds.ts";
import type {
  CommandCondition,
  Condition,
  HostCondition,
  McpCondition,
  PathCondition,
  Rule,
  RuleVerdict,
  SqlCondition,
} from "../../contract/rules/schema.ts";

export interface RuleWorld {
  readonly call: ReadCall;
  readonly agent: string;
  readonly tags: readonly string[];
  /** Seconds since a mark of the session was set; null if not set. */
  readonly secondsSince: (mark: string) => number | null;
  /** The kinds of extensions that the call uses in a version that is not accepted. */
  readonly unaccepted: ReadonlySet<ExtensionKind>;
}

export interface RuleMatch {
  /** The index in the list of rules. */
  readonly index: number;
  readonly verdict: RuleVerdict | null;
  readonly reason: string;
  readonly mark: string | null;
}

export interface RulesResult {
  readonly matches: readonly RuleMatch[];
  /** The decisive rule: deny before ask before allow; null if no rule with a verdict matches. */
  readonly decisive: RuleMatch | null;
}

const ORDER: readonly (RuleVerdict | null)[] = ["deny", "ask", "allow"];

export function evaluateRules(rules: readonly Rule[], world: RuleWorld): RulesResult {
  const matches = rules.flatMap((rule, index) => (isMet(rule, world) ? [matchOf(rule, index)] : []));
  const decisive = ORDER.map((verdict) => matches.find((one) => one.verdict === verdict)).find(
    (one) => one !== undefined,
  );
  return { matches, decisive: decisive ?? null };
}

function matchOf({ deny, ask, allow, ...rule }: Rule, index: number): RuleMatch {
  const mark = rule.mark ?? null;
  if (deny !== undefined) return { index, verdict: "deny", reason: deny, mark };
  if (ask !== undefined) return { index, verdict: "ask", reason: ask, mark };
  return { index, verdict: allow === undefined ? null : "allow", reason: allow ?? "", mark };
}

function isMet(condition: Condition, world: RuleWorld): boolean {
  const { after, all, any, not } = condition;
  if (unmetByCall(condition, world.call) !== null) return false;
  if (!named(condition.agent, world.agent)) return false;
  if (condition.tag !== undefined && !world.tags.some((tag) => named(condition.tag, tag))) return false;
  if (condition.unaccepted !== undefined && !isUnaccepted(condition.unaccepted, world.unaccepted)) return false;
  if (after !== undefined && !isWithin(world.secondsSince(after), condition.within)) return false;
  if (all && !all.every((one) => isMet(one, world))) return false;
  if (any && !any.some((one) => isMet(one, world))) return false;
  return !(not && isMet(not, world));
}

export const isUnaccepted = (
  wanted: NonNullable<Condition["unaccepted"]>,
  found: ReadonlySet<ExtensionKind>,
): boolean => (wanted === true ? found.size > 0 : asList(wanted).some((kind) => found.has(kind)));

/** Conditions on the call itself, in evaluation order. */
export type CallCondition =
  | "command"
  | "path"
  | "host"
  | "mcp"
  | "sql"
  | "tool"
  | "kind"
  | "opaque"
  | "label"
  | "larger_than";

/** The first condition that the call itself does not meet; null if it meets all. Nested conditions are not evaluated. */
export function unmetByCall(condition: Condition, call: ReadCall): CallCondition | null {
  const { command, path, host, mcp, sql, opaque, label, larger_than } = condition;
  if (command && !commandsFor(command, call).some((one) => commandMatches(command, one))) return "command";
  if (path && !(hasClass(path, call) && call.paths.some((one) => pathMatches(path, one)))) return "path";
  if (host && !call.hosts.some(({ name }) => hostFits(host, name))) return "host";
  if (mcp && !mcpMatches(mcp, call.mcp)) return "mcp";
  if (sql && !call.sql.some((one) => sqlMatches(sql, one))) return "sql";
  if (!named(condition.tool, call.tool)) return "tool";
  if (!listed(condition.kind, call.kind)) return "kind";
  if (opaque !== undefined && !call.opaque.some(({ kind }) => opaque === true || listed(opaque, kind))) return "opaque";
  if (label !== undefined && !hasLabel(label, call)) return "label";
  return larger_than !== undefined && call.size <= larger_than ? "larger_than" : null;
}

/** A call without a command has no label. */
function hasLabel(wanted: NonNullable<Condition["label"]>, call: ReadCall): boolean {
  const label = call.safetyLabel();
  return label !== null && listed(wanted, label);
}

function mcpMatches({ server, tool, not }: McpCondition, used: ReadCall["mcp"]): boolean {
  if (!used || !named(server, used.server) || !named(tool, used.tool)) return false;
  return !(not !== undefined && named(not, used.tool));
}

const sqlMatches = ({ statement, without_where }: SqlCondition, { verb, hasWhere }: SqlStatement): boolean =>
  named(statement, verb) && !(without_where && hasWhere);

const UNITS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

export function isWithin(seconds: number | null, within: string | undefined): boolean {
  if (seconds === null) return false;
  if (within === undefined) return true;
  const unit = within.at(-1) as keyof typeof UNITS; // holds: the schema takes no other
  return seconds <= Number(within.slice(0, -1)) * UNITS[unit];
}

export const asList = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);

function listed<T>(wanted: T | readonly T[] | undefined, value: T): boolean {
  return wanted === undefined || asList(wanted).includes(value);
}

/** True if a name, or a pattern with `*`, matches, ignoring case. */
export function named(wanted: string | readonly string[] | undefined, value: string): boolean {
  return wanted === undefined || asList(wanted).some((one) => one === value || nameMatches(one, value));
}

/** False if no path of the call has one of the wanted classes, so the paths need no check. */
const hasClass = ({ class: wanted }: PathCondition, { pathClasses }: ReadCall): boolean =>
  wanted === undefined || asList(wanted).some((one) => pathClasses.has(one));

/** The commands whose program the condition names. This avoids a walk over a thousand commands for each of many rules. */
function commandsFor({ program }: CommandCondition, call: ReadCall): readonly CommandFacts[] {
  if (program === undefined) return call.commands;
  const { commandsByProgram: programs } = call;
  const isPlain = asList(program).every((name) => !/[*?[A-Z]/.test(name));
  if (isPlain) return asList(program).flatMap((name) => programs.get(name) ?? []);
  return [...programs].flatMap(([name, facts]) => (named(program, name) ? facts : []));
}

export const commandMatches = (condition: CommandCondition, facts: CommandFacts): boolean =>
  unmetByCommand(condition, facts) === null;

/** The first part of a condition that a command does not meet; null if it meets all. */
export function unmetByCommand(condition: CommandCondition, facts: CommandFacts): keyof CommandCondition | null {
  const { program, subcommand, flags, without_flags, argument, without_argument, target } = condition;
  const { host, setting, assignment } = condition;
  if (!named(program, facts.program)) return "program";
  if (subcommand !== undefined && !asList(subcommand).some((one) => hasSubcommand(one, facts))) return "subcommand";
  if (flags && !flags.every((flag) => hasFlag(flag, facts))) return "flags";
  if (without_flags?.some((flag) => hasFlag(flag, facts))) return "without_flags";
  if (argument !== undefined && !hasOperand(argument, facts)) return "argument";
  if (without_argument !== undefined && hasOperand(without_argument, facts)) return "without_argument";
  if (assignment !== undefined && !facts.command.assignments.some(({ name }) => named(assignment, name)))
    return "assignment";
  if (host !== undefined && !facts.hosts.some(({ name }) => hostFits(host, name))) return "host";
  if (setting !== undefined && !facts.settings.some((one) => named(setting, one))) return "setting";
  return target === undefined || facts.paths.some((path) => pathMatches(target, path)) ? null : "target";
}

export const hasFlag = (flag: string, { flags }: CommandFacts): boolean => flags.has(flag.replace(/^-+/, ""));

const hasOperand = (wanted: string | readonly string[], { operands }: CommandFacts): boolean =>
  operands.some(({ values }) => values.some((value) => named(wanted, value)));

/** `remote add` matches two consecutive words. */
function hasSubcommand(wanted: string, { subcommands }: CommandFacts): boolean {
  return wanted.split(" ").every((word, index) => subcommands[index] !== undefined && named(word, subcommands[index]));
}

/** An unknown path is outside of every folder and matches no pattern. */
export function pathMatches(condition: PathCondition, { path, access, classes }: CallPath): boolean {
  if (
    condition.access !== undefined &&
    !asList(condition.access).some((one) => one === access || (one === "write" && access === "delete"))
  )
    return false;
  if (condition.class !== undefined && !asList(condition.class).some((one) => classes.has(one))) return false;
  if (condition.outside !== undefined && (classes.has("project") || classes.has("temporary"))) return false;
  if (
    condition.path !== undefined &&
    !(path !== null && asList(condition.path).some((pattern) => underPattern(pattern, path)))
  )
    return false;
  return !(
    condition.not !== undefined &&
    path !== null &&
    asList(condition.not).some((pattern) => underPattern(pattern, path))
  );
}

/** A pattern without a root matches below any folder. */
const underPattern = (pattern: string, path: string): boolean =>
  globMatches(pattern, path) || (!/^(?:[/~]|[A-Za-z]:|\*\*)/.test(pattern) && globMatches(`**/${pattern}`, path));

export function hostFits({ is, not, class: classes }: HostCondition, name: string): boolean {
  if (is !== undefined && !asList(is).some((pattern) => hostMatches(pattern, name))) return false;
  if (classes !== undefined && !asList(classes).some((one) => isOfClass(name, one))) return false;
  return !(not !== undefined && asList(not).some((pattern) => hostMatches(pattern, name)));
}
