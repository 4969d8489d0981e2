import { describe, expect, it } from "vitest";
import { BUILTIN_NAMES } from "../builtins.ts";
import type { HooksConfig } from "../hook.ts";
import { type CheckedText, checkText } from "../text/check.ts";
import type { Repair } from "../text/checked.ts";
import { readPolicyText } from "../text/policy-text.ts";
import { lint } from "./lint.ts";
import type { Example } from "./rule.ts";
import { RULES } from "./rules.ts";

const equipment = { builtins: BUILTIN_NAMES, models: true };
const checked = ({ policy, tools = [], judges = [] }: Example): CheckedText =>
  checkText(policy, { equipment, tools, judges });
const firedBy = (example: Example) => checked(example).findings.map(({ rule }) => rule);

describe.each(RULES.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
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
    expect(RULES.filter((other) => other.id === id)).toHaveLength(1);
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
    const context = { tools: rule.firing.tools ?? [], judges: rule.firing.judges ?? [] };
    const found = lint(hooks ?? {}, profile, context).filter((finding) => finding.rule === id);
    for (const { repair } of found) {
      if (!repair) continue;
      const repaired = withRepair(hooks ?? {}, repair);
      expect(lint(repaired, profile, context).filter((finding) => finding.rule === id).length).toBeLessThan(
        found.length,
      );
    }
  });
});

/** The block after a repair, on plain values. */
function withRepair(hooks: HooksConfig, repair: Repair): HooksConfig {
  return changed(hooks, repair.segments.slice(1), repair) as HooksConfig; // holds: a repair keeps the block's shape
}

function changed(value: unknown, [step, ...rest]: readonly (string | number)[], repair: Repair): unknown {
  if (step === undefined) return repair.kind === "set" ? repair.value : undefined;
  if (Array.isArray(value)) {
    const items = value.map((item, at) => (at === step ? changed(item, rest, repair) : item));
    return items.filter((item) => item !== undefined);
  }
  const fields = new Map(Object.entries(value ?? {}));
  fields.set(String(step), changed(fields.get(String(step)), rest, repair));
  return Object.fromEntries([...fields].filter(([, field]) => field !== undefined));
}
