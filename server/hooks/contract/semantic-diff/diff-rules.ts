/** Describes the changed rules of a hook, rule by rule. */
import { conditionKey, conditionOf, coversCondition } from "../rules/cover.ts";
import { RULE_VERDICTS, type Rule, type RuleVerdict } from "../rules/schema.ts";
import { truncateToLine } from "../truncate-text.ts";
import type { FieldChange } from "./field-change.ts";
import { longestRise } from "./longest-rise.ts";

interface Placed {
  readonly rule: Rule;
  readonly index: number;
}
type Pair = readonly [before: Placed, after: Placed];

/** Every difference between two lists of rules, one sentence for each change of each rule. */
export function diffRules(before: readonly Rule[], after: readonly Rule[]): FieldChange[] {
  const { pairs, removed, added } = pairRules(before, after);
  return [
    ...removed.map(({ rule }) => change(`does not ${DOES[kindOf(rule)]} any more: ${label(rule)}`, wasGuarding(rule))),
    ...added.map(({ rule }) => {
      const says = `has a new rule that ${DOES_3[kindOf(rule)]}: ${label(rule)}`;
      return change(says, kindOf(rule) === "allow");
    }),
    ...pairs.flatMap(pairChanges),
    ...movedRules(pairs),
  ];
}

type Kind = RuleVerdict | "mark";
const DOES: Readonly<Record<Kind, string>> = { deny: "deny", ask: "ask", allow: "allow", mark: "set a mark" };
const DOES_3: Readonly<Record<Kind, string>> = { deny: "denies", ask: "asks", allow: "allows", mark: "sets a mark" };
const DID: Readonly<Record<Kind, string>> = { deny: "denied", ask: "asked", allow: "allowed", mark: "set a mark only" };

const verdictOf = (rule: Rule): RuleVerdict | null => RULE_VERDICTS.find((one) => rule[one] !== undefined) ?? null;
const kindOf = (rule: Rule): Kind => verdictOf(rule) ?? "mark";
const reasonOf = (rule: Rule): string => rule.deny ?? rule.ask ?? rule.allow ?? "";

const LABEL_CHARS_MAX = 60;
/** The label of a rule in a sentence: its reason, else its mark. */
function label(rule: Rule): string {
  const text = truncateToLine((reasonOf(rule) || (rule.mark ?? "")).trim(), LABEL_CHARS_MAX);
  return `\`${text.replace(/\.$/, "")}\``;
}

/** True if a blocked call may pass without the rule. Other rules may depend on a mark. */
const wasGuarding = (rule: Rule): boolean => kindOf(rule) !== "allow" || rule.mark !== undefined;

function change(says: string, mayLoosen: boolean): FieldChange {
  return { kind: "code", says, ...(mayLoosen && { mayLoosen: true as const }) };
}

function pairRules(before: readonly Rule[], after: readonly Rule[]) {
  const pairs: Pair[] = [];
  let left = { before: before.map(placed), after: after.map(placed) };
  const pairBy = (keyOf: (rule: Rule) => string | null) => {
    const waiting = new Map<string, Placed[]>();
    for (const one of left.after) {
      const key = keyOf(one.rule);
      if (key !== null) waiting.set(key, [...(waiting.get(key) ?? []), one]);
    }
    const taken = new Set<Placed>();
    for (const one of left.before) {
      const match = waiting.get(keyOf(one.rule) ?? "")?.shift();
      if (!match) continue;
      pairs.push([one, match]);
      taken.add(one).add(match);
    }
    const isLeft = (one: Placed) => !taken.has(one);
    left = { before: left.before.filter(isLeft), after: left.after.filter(isLeft) };
  };
  const condition = (rule: Rule) => conditionKey(conditionOf(rule));
  pairBy((rule) => JSON.stringify([kindOf(rule), reasonOf(rule), rule.mark ?? "", condition(rule)]));
  pairBy((rule) => (reasonOf(rule) === "" ? null : JSON.stringify([kindOf(rule), reasonOf(rule)])));
  pairBy((rule) => reasonOf(rule) || null);
  pairBy((rule) => JSON.stringify([rule.mark ?? "", condition(rule)]));
  pairBy(condition);
  pairBy((rule) => (verdictOf(rule) === null ? `mark ${rule.mark}` : null));
  return { pairs, removed: left.before, added: left.after };
}

const placed = (rule: Rule, index: number): Placed => ({ rule, index });

function pairChanges([{ rule: before }, { rule: after }]: Pair): FieldChange[] {
  return [
    ...verdictChanges(before, after),
    ...reasonChanges(before, after),
    ...markChanges(before, after),
    ...conditionChanges(before, after),
  ];
}

function verdictChanges(before: Rule, after: Rule): FieldChange[] {
  const [was, is] = [kindOf(before), kindOf(after)];
  if (was === is) return [];
  const says = is === "mark" ? "only sets a mark now" : `${DOES_3[is]} now`;
  return [change(`the rule ${label(after)} ${says}; before it ${DID[was]}`, strength(is) < strength(was))];
}

/** A rule without a verdict leaves the call to others. An allow may answer for the user. */
const strength = (kind: Kind): number => ["allow", "mark", "ask", "deny"].indexOf(kind);

function reasonChanges(before: Rule, after: Rule): FieldChange[] {
  const [was, is] = [reasonOf(before), reasonOf(after)];
  if (was === is || was === "" || is === "") return [];
  return [change(`the rule ${label(after)} gave another reason before: ${label(before)}`, false)];
}

function markChanges(before: Rule, after: Rule): FieldChange[] {
  if (before.mark === after.mark) return [];
  const was = before.mark === undefined ? "no mark" : `\`${before.mark}\``;
  const is = after.mark === undefined ? "no mark" : `the mark \`${after.mark}\``;
  return [change(`the rule ${label(after)} sets ${is} now instead of ${was}`, before.mark !== undefined)];
}

function conditionChanges(before: Rule, after: Rule): FieldChange[] {
  const [was, is] = [conditionOf(before), conditionOf(after)];
  if (conditionKey(was) === conditionKey(is)) return [];
  const [isWider, isNarrower] = [coversCondition(is, was), coversCondition(was, is)];
  const texts = { before: pretty(was), after: pretty(is) };
  if (isWider && isNarrower)
    return [{ ...change(`the rule ${label(after)} matches the same calls, written differently`, false), texts }];
  const says = isWider ? "matches more calls now" : isNarrower ? "matches fewer calls now" : "matches other calls now";
  const isAllow = kindOf(after) === "allow";
  const mayLoosen = (isAllow ? !isNarrower : !isWider) || (after.mark !== undefined && !isWider);
  return [{ ...change(`the rule ${label(after)} ${says}${keysOf(was, is)}`, mayLoosen), texts }];
}

/** The changed parts of a condition: `: its condition on command and path is another`. */
function keysOf(before: object, after: object): string {
  const [was, is] = [before as Readonly<Record<string, unknown>>, after as Readonly<Record<string, unknown>>]; // holds: plain objects
  const all = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const changed = all.filter((key) => conditionKey({ [key]: was[key] }) !== conditionKey({ [key]: is[key] }));
  const word = (key: string) => {
    if (was[key] === undefined) return `\`${key}\` is new`;
    return is[key] === undefined ? `\`${key}\` is gone` : `\`${key}\` is another`;
  };
  return changed.length === 0 ? "" : `: ${changed.map(word).join(", ")}`;
}

const pretty = (condition: object): string => JSON.stringify(condition, null, 2);

/** The smallest set of moved rules. Order matters: the first of several matching rules with one verdict gives the reason. */
function movedRules(pairs: readonly Pair[]): FieldChange[] {
  const inOrder = [...pairs].sort(([, a], [, b]) => a.index - b.index);
  const kept = longestRise(inOrder.map(([before]) => before.index));
  return inOrder.flatMap(([, after], at) => {
    if (kept.has(at)) return [];
    const next = inOrder[at + 1]?.[1];
    const place = next ? `before ${label(next.rule)}` : "last";
    return [change(`the rule ${label(after.rule)} is moved: it is ${place} now`, false)];
  });
}
