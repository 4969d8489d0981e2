/** An example in an error is itself valid: pasted where the wrong value was, the text has no problem. */
import { expect, it } from "vitest";
import { ruleShapeExample, SHAPE_EXAMPLES } from "./shape-examples.ts";
import { readPolicyText } from "./text/policy-text.ts";

const problemsOf = (text: string) =>
  readPolicyText(text, { builtins: [], models: false }).problems.map(({ message }) => message);

const hook = (text: string) => `hooks:\n  pre_tool_use:\n    - hooks:\n        - ${text}\n`;
const rule = (text: string) => hook(`{ type: rules, rules: [${text}] }`);
const condition = (key: string) => (text: string) => rule(`{ deny: x, ${key}: ${text} }`);
const within: Readonly<Record<keyof typeof SHAPE_EXAMPLES, (text: string) => string>> = {
  hooks: (text) => `hooks: ${text}\n`,
  entry: (text) => `hooks:\n  pre_tool_use:\n    - ${text}\n`,
  hook,
  env: (text) => hook(`{ type: command, command: ./check.sh, env: ${text} }`),
  rule,
  condition: condition("not"),
  command: condition("command"),
  path: condition("path"),
  target: (text) => condition("command")(`{ target: ${text} }`),
  host: condition("host"),
  mcp: condition("mcp"),
  sql: condition("sql"),
};

it.each(Object.entries(within))("%s: a number is refused with an example, and the example is valid", (name, text) => {
  const example = SHAPE_EXAMPLES[name as keyof typeof SHAPE_EXAMPLES]; // holds: the key of a table with these keys
  expect(problemsOf(text("5")).join("\n")).toContain(`mapping`);
  expect(problemsOf(text("5")).join("\n")).toContain(`such as ${example}`);
  expect(problemsOf(text(example))).toEqual([]);
});

it("conditions of any name are shown as a condition, and a rule as a rule", () => {
  expect(ruleShapeExample(["rules", 0, "any", 1])).toBe(SHAPE_EXAMPLES.condition);
  expect(ruleShapeExample(["rules", 0])).toBe(SHAPE_EXAMPLES.rule);
  expect(ruleShapeExample(["rules", 0, "command", "target"])).toBe(SHAPE_EXAMPLES.target);
});
