/** Small examples of the right shape, in errors about a value of another shape. Each is valid as it is written. */
export const SHAPE_EXAMPLES = {
  hooks: "{ session_end: [{ type: command, command: ./report.sh }] }",
  entry: "{ matcher: shell, hooks: [{ type: command, command: ./check.sh }] }",
  hook: "{ type: command, command: ./check.sh }",
  env: '{ CI: "true" }',
  rule: '{ deny: "Name the files.", command: { program: rm } }',
  condition: "{ tool: shell }",
  command: "{ program: rm, flags: [recursive] }",
  path: "{ class: credentials }",
  target: "{ class: credentials }",
  host: "{ is: example.org }",
  mcp: "{ server: github }",
  sql: "{ statement: drop table }",
} as const;

/** The example for a mapping within `rules`, by the last names of its path: `rules[0]`, `any[1]`, `command`. */
export function ruleShapeExample(at: readonly (string | number)[]): string {
  const name = at.findLast((step) => typeof step === "string") ?? "rules";
  const isKnown = (key: string): key is keyof typeof SHAPE_EXAMPLES => Object.hasOwn(SHAPE_EXAMPLES, key);
  if (name === "rules") return SHAPE_EXAMPLES.rule;
  return isKnown(name) ? SHAPE_EXAMPLES[name] : SHAPE_EXAMPLES.condition;
}
