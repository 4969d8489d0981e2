import { expect, it } from "vitest";
import type { HookDefinition } from "./hook.ts";
import { publishProblems } from "./placement.ts";
import { describeProblem } from "./problem.ts";

const judge = { type: "model", model: "a/b", prompt: "{{ .ToolName }}", schema: "pre_tool_use_decision" };
const problems = (changes: HookDefinition) =>
  publishProblems({ pre_tool_use: [{ hooks: [{ ...judge, ...changes }] }] }, { builtins: [], models: true }).map(
    describeProblem,
  );

it.each<[string, HookDefinition, string[]]>([
  ["a judge as it should be", {}, []],
  [
    "a prompt that does not parse",
    { prompt: "a\n{{ .ToolName" },
    ["prompt: the prompt is not a template: line 2, column 13"],
  ],
  ["a prompt of blanks", { prompt: " \n" }, ["prompt: the prompt says nothing"]],
  ["a model of blanks", { model: " " }, ["model: the model has no name"]],
  ["a schema nobody knows", { schema: "pre_tool_use_decisions" }, ["schema: there is no schema called"]],
])("publishing %s", (_what, changes, expected) => {
  const found = problems(changes);
  expect(found).toHaveLength(expected.length);
  for (const [at, message] of expected.entries()) {
    expect(found[at]).toContain(`hooks.pre_tool_use[0].hooks[0].${message}`);
  }
});
