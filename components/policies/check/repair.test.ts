import { BUILTIN_NAMES } from "@quarterdeck/hooks/contract/builtins";
import { LINT_RULES } from "@quarterdeck/hooks/contract/lint/rules";
import { checkText } from "@quarterdeck/hooks/contract/text/check";
import { describe, expect, it } from "vitest";
import { repaired } from "@/components/policies/check/repair";

const findingsOf = (rule: (typeof LINT_RULES)[number], text: string) =>
  checkText(text, { equipment: { builtins: BUILTIN_NAMES, models: true }, tools: rule.firing.tools ?? [] });

const REPAIRING = LINT_RULES.map((rule) => [rule.id, rule] as const).filter(([id, rule]) =>
  findingsOf(rule, rule.firing.policy).findings.some((finding) => finding.rule === id && finding.repair),
);

it("most rules can repair what they find; what a client cannot do is not mended in a text", () => {
  const ofTexts = LINT_RULES.filter(({ id }) => !id.startsWith("client-"));
  expect(REPAIRING.length).toBeGreaterThan(ofTexts.length / 2);
});

// A block alone has no place for a profile.
const OF_ANY_PROFILE = REPAIRING.filter(([, { firing }]) => !firing.policy.startsWith("profile:"));

describe.each([
  ["of a policy", (text: string) => `# kept\n${text}`, REPAIRING],
  [
    "of a block alone",
    (text: string) => `# kept\n${text.replace("hooks:\n", "").replace(/^ {2}/gm, "")}`,
    OF_ANY_PROFILE,
  ],
] as const)("a repair %s", (_what, written, repairing) => {
  it.each(repairing)("of %s ends the finding and keeps every other line", (id, rule) => {
    const text = written(rule.firing.policy);
    const finding = findingsOf(rule, text).findings.find((one) => one.rule === id && one.repair);
    if (!finding?.repair) throw new Error("the example repairs nothing");
    const edit = repaired(text, finding.repair);
    if (!edit.ok) throw new Error(edit.why);
    const after = findingsOf(rule, edit.text);
    expect(after.problems).toEqual([]);
    expect(after.findings.map((one) => one.rule)).not.toContain(id);
    expect(edit.text.startsWith("# kept\n")).toBe(true);
  });
});

it("a place that is gone changes nothing, and says so", () => {
  const repair = { kind: "set", segments: ["hooks", "stop", 4, "timeout"], value: 5, label: "Write 5" } as const;
  const edit = repaired("hooks:\n  stop:\n    - {type: command, command: x}\n", {
    ...repair,
    segments: [...repair.segments],
  });
  expect(edit.ok).toBe(false);
});
