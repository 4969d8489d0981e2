import { describe, expect, it } from "vitest";
import { BUILTIN_NAMES } from "../builtins.ts";
import type { HooksConfig } from "../hook.ts";
import { type CheckedText, checkText } from "../text/check.ts";
import { readPolicyText } from "../text/policy-text.ts";
import type { Repair } from "../text/text-problems.ts";
import { lintHooks } from "./lint.ts";
import type { Example } from "./rule.ts";
import { LINT_RULES } from "./rules.ts";

const equipment = { builtins: BUILTIN_NAMES, models: true };
const checked = ({ policy, tools = [], judges = [], clients = [] }: Example): CheckedText =>
  checkText(policy, { equipment, tools, judges, clients });
const firedBy = (example: Example) => checked(example).findings.map(({ rule }) => rule);

describe.each(LINT_RULES.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
  it("speaks of its firing example, which can be read", () => {
    expect(checked(rule.firing).problems).toEqual([]);
    expect(firedBy(rule.firing)).toContain(id);
  });
  it("has nothing to say of its silent example, and no other rule warns of it", () => {
    expect(checked(rule.silent).problems).toEqual([]);
    expect(firedBy(rule.silent)).not.toContain(id);
    expect(checked(rule.silent).findings.filter(({ severity }) => severity === "warning")).toEqual([]);
  });
  it("is called by a word of its own, in kebab-case, and says why and what to do in sentences", () => {
    expect(id).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)+$/);
    expect(LINT_RULES.filter((other) => other.id === id)).toHaveLength(1);
    for (const text of [rule.why, rule.fix]) expect(text).toMatch(/^[A-Z].*\.$/s);
  });
  it("points at something that exists, on a line of the example", () => {
    for (const finding of checked(rule.firing).findings) {
      expect(finding.segments[0]).toBe("hooks");
      expect(finding.line).toBeGreaterThan(1);
    }
  });
  it("repairs what it found, when it offers to", () => {
    const { hooks, profile } = readPolicyText(rule.firing.policy, equipment);
    const { tools = [], judges = [], clients = [] } = rule.firing;
    const context = { tools, judges, clients };
    const found = lintHooks(hooks ?? {}, profile, context).filter((finding) => finding.rule === id);
    for (const { repair } of found) {
      if (!repair) continue;
      const repaired = withRepair(hooks ?? {}, repair);
      expect(lintHooks(repaired, profile, context).filter((finding) => finding.rule === id).length).toBeLessThan(
        found.length,
      );
    }
  });
});

/** The problems that the linter promises to report to an author; a rule may be renamed, its subject may not go. */
const SUBJECTS = {
  "a matcher that selects nothing the fleet has used": "matcher-matches-nothing-seen",
  "a shadowed matcher": "matcher-shadowed",
  "a duplicated matcher": "matcher-duplicated",
  "a hook on an event that ignores what it returns": "output-ignored",
  "exit 2 with JSON": "exit-2-with-json",
  "a time limit longer than the caller's": "timeout-longer-than-caller",
  "on_error without effect": "on-error-without-effect",
  "a veto that can hit an overflow compaction": "veto-hits-overflow",
  "a judge without a filter before it": "judge-without-filter",
  bashisms: "command-bashism",
  "unquoted input": "command-unquoted-input",
  "a secret in the text": "secret-in-text",
  "what the profiles treat differently": "profile-difference",
  "a builtin on the wrong event": "builtin-wrong-event",
  "a tool that a bound client calls otherwise": "matcher-misses-client",
  "an event that a bound client never sends": "client-never-sends-event",
  "an answer that a bound client takes as a denial": "client-answers-stricter",
  "an answer that a bound client does not follow": "client-ignores-answer",
  "a rule that a stricter rule always beats": "rule-without-effect",
  "the same condition twice": "rule-shadowed",
  "a rule that can never match": "rule-never-matches",
  "a rule that matches every call": "rule-matches-every-call",
} as const;

it.each(Object.entries(SUBJECTS))("of %s a rule speaks", (_subject, id) => {
  const rule = LINT_RULES.find((one) => one.id === id);
  expect(rule === undefined ? [] : firedBy(rule.firing)).toContain(id);
});

/** The block after a repair, on plain values. */
function withRepair(hooks: HooksConfig, repair: Repair): HooksConfig {
  return changed(hooks, repair.segments.slice(1), repair) as HooksConfig; // holds: a repair keeps the block's shape
}

function changed(value: unknown, [step, ...rest]: readonly (string | number)[], repair: Repair): unknown {
  if (step === undefined && repair.kind === "add") return [...(Array.isArray(value) ? value : []), repair.value];
  if (step === undefined) return repair.kind === "set" ? repair.value : undefined;
  if (Array.isArray(value)) {
    const items = value.map((item, at) => (at === step ? changed(item, rest, repair) : item));
    return items.filter((item) => item !== undefined);
  }
  const fields = new Map(Object.entries(value ?? {}));
  fields.set(String(step), changed(fields.get(String(step)), rest, repair));
  return Object.fromEntries([...fields].filter(([, field]) => field !== undefined));
}
