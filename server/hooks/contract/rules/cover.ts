/**
 * Tests whether one condition certainly holds wherever another does. Used to find rules without effect, and changes that widen a
 * rule.
 */

import { globMatches } from "../../calls/globs.ts";
import { hostMatches, isNetwork } from "../../calls/hosts.ts";
import type { CommandCondition, Condition, HostCondition, PathCondition, Rule } from "./schema.ts";

/** A rule's condition, without its verdict and mark. */
export function conditionOf({ deny: _deny, ask: _ask, allow: _allow, mark: _mark, ...condition }: Rule): Condition {
  return condition;
}

/** A text that is equal for equivalently written conditions: a text equals a list of that text, and order is ignored. */
export function conditionKey(condition: Condition): string {
  return keyOf(condition);
}

function keyOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(keyOf))].sort().join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${fields
    .map(([key, one]) => `${key}:${keyOf(typeof one === "string" ? [one] : one)}`)
    .sort()
    .join()}}`;
}

/** True if `wide` certainly holds wherever `narrow` does. False means unknown. */
export function coversCondition(wide: Condition, narrow: Condition): boolean {
  const { all = [], any, not, ...own } = wide;
  const { after, within, ...plain } = own;
  const parts: Condition[] = Object.entries(plain)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ [key]: value }));
  if (after !== undefined) parts.push({ after, within });
  if (not) parts.push({ not });
  return (
    [...parts, ...all].every((part) => isImplied(part, narrow)) &&
    (any === undefined || any.some((one) => isImplied(one, narrow)) || isAnyCovered(any, narrow))
  );
}

/** True if one part of the other condition implies this part. */
function isImplied(part: Condition, narrow: Condition): boolean {
  if (Object.keys(part).length !== 1 && part.after === undefined) return coversCondition(part, narrow);
  if (part.all || part.any) return coversCondition(part, narrow);
  return (
    holdsFor(part, narrow) ||
    (narrow.all ?? []).some((one) => isImplied(part, one)) ||
    (narrow.any?.every((one) => isImplied(part, one)) ?? false)
  );
}

function isAnyCovered(any: readonly Condition[], narrow: Condition): boolean {
  return (
    (narrow.any?.every((one) => any.some((wide) => coversCondition(wide, one))) ?? false) ||
    (narrow.all ?? []).some((one) => isAnyCovered(any, one))
  );
}

function holdsFor(wide: Condition, narrow: Condition): boolean {
  const { command, path, host, mcp, sql, opaque, unaccepted, larger_than, after, within, not } = wide;
  return (
    both(command, narrow.command, coversCommand) &&
    both(path, narrow.path, coversPath) &&
    both(host, narrow.host, coversHost) &&
    both(mcp, narrow.mcp, (a, b) => anyOf(a.server, b.server) && anyOf(a.tool, b.tool) && noneOf(a.not, b.not)) &&
    both(sql, narrow.sql, coversSql) &&
    anyOf(wide.tool, narrow.tool) &&
    anyOf(wide.kind, narrow.kind) &&
    anyOf(wide.label, narrow.label) &&
    anyOf(wide.agent, narrow.agent) &&
    anyOf(wide.tag, narrow.tag) &&
    both(opaque, narrow.opaque, coversParts) &&
    both(unaccepted, narrow.unaccepted, coversParts) &&
    (larger_than === undefined || (narrow.larger_than !== undefined && larger_than <= narrow.larger_than)) &&
    (after === undefined || (after === narrow.after && isLonger(within, narrow.within))) &&
    (not === undefined || (narrow.not !== undefined && coversCondition(narrow.not, not)))
  );
}

type Parts = true | string | readonly string[];
type Sql = NonNullable<Condition["sql"]>;

function coversParts(wide: Parts, narrow: Parts): boolean {
  return wide === true || (narrow !== true && listOf(narrow).every((one) => listOf(wide).includes(one)));
}

function coversSql(wide: Sql, narrow: Sql): boolean {
  return anyOf(wide.statement, narrow.statement) && (!wide.without_where || narrow.without_where === true);
}

function both<T>(wide: T | undefined, narrow: T | undefined, covers: (wide: T, narrow: T) => boolean): boolean {
  return wide === undefined || (narrow !== undefined && covers(wide, narrow));
}

function coversCommand(wide: CommandCondition, narrow: CommandCondition): boolean {
  return (
    anyOf(wide.program, narrow.program) &&
    anyOf(wide.subcommand, narrow.subcommand) &&
    everyOf(wide.flags, narrow.flags) &&
    everyOf(wide.without_flags, narrow.without_flags) &&
    anyOf(wide.argument, narrow.argument) &&
    noneOf(wide.without_argument, narrow.without_argument) &&
    anyOf(wide.setting, narrow.setting) &&
    anyOf(wide.assignment, narrow.assignment) &&
    both(wide.target, narrow.target, coversPath) &&
    both(wide.host, narrow.host, coversHost)
  );
}

function coversPath(wide: PathCondition, narrow: PathCondition): boolean {
  const access = wide.access === undefined ? undefined : listOf(wide.access);
  const withDelete = access?.includes("write") ? [...access, "delete" as const] : access;
  return (
    anyOf(withDelete, narrow.access) &&
    anyOf(wide.class, narrow.class) &&
    anyOf(wide.path, narrow.path) &&
    noneOf(wide.not, narrow.not) &&
    (wide.outside === undefined || narrow.outside === wide.outside)
  );
}

function coversHost(wide: HostCondition, narrow: HostCondition): boolean {
  const isLeftOut = wide.not === undefined || hostsOf(narrow.not ?? [], wide.not);
  return hostsOf(wide.is, narrow.is) && anyOf(wide.class, narrow.class) && isLeftOut;
}

/** `*.example.org` covers the names below it, and a network its addresses. */
function hostsOf(wide: Names<string>, narrow: Names<string>): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  return listOf(narrow).every((one) =>
    listOf(wide).some(
      (other) => other === one || other === "*" || (!one.includes("*") && !isNetwork(one) && hostMatches(other, one)),
    ),
  );
}

type Names<T extends string> = T | readonly T[] | undefined;

const listOf = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);

/** For "any of these names": each narrow name is covered by a wide one. */
function anyOf<T extends string>(wide: Names<T>, narrow: Names<T>): boolean {
  if (wide === undefined) return true;
  return narrow !== undefined && listOf(narrow).every((one) => listOf(wide).some((other) => isCovered(other, one)));
}

/** For "none of these names": each wide name is excluded by a narrow one. */
function noneOf<T extends string>(wide: Names<T>, narrow: Names<T>): boolean {
  return wide === undefined || anyOf(narrow ?? [], wide);
}

/** For "all of these names". */
const everyOf = (wide: readonly string[] | undefined, narrow: readonly string[] | undefined): boolean =>
  (wide ?? []).every((one) => (narrow ?? []).includes(one));

const isCovered = (wide: string, narrow: string): boolean =>
  wide === narrow ||
  (wide === "*" && !/\/|\*\*/.test(narrow)) ||
  (!/[*?[\]]/.test(narrow) && globMatches(wide, narrow));

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const secondsOf = (duration: string): number => Number.parseInt(duration, 10) * (UNITS[duration.at(-1) ?? ""] ?? 1);

function isLonger(wide: string | undefined, narrow: string | undefined): boolean {
  return wide === undefined || (narrow !== undefined && secondsOf(wide) >= secondsOf(narrow));
}
