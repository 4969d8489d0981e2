import { expect, it } from "vitest";
import { everyHook } from "../placement.ts";
import { mergeHookSources } from "./hook-sources.ts";

const hook = (command: string) => ({ type: "command", command });
const yaml = (command: string) => `turn_end:\n  - { type: command, command: ${command} }\n`;
const order = (sources: Parameters<typeof mergeHookSources>[0]) => {
  const { hooks, skipped } = mergeHookSources(sources, "2026-11");
  return { commands: everyHook(hooks).map((one) => one.hook.command), skipped: skipped.map(({ file }) => file) };
};

it("joins agent, settings, drop-ins by name and command line", () => {
  const drop_ins = { "b.yaml": yaml("b"), "B.yml": yaml("upper"), "a.yml": yaml("a"), "é.yaml": yaml("last") };
  const sources = {
    agent: { turn_end: hook("1") },
    settings: { turn_end: [hook("2")] },
    cli: { turn_end: hook("9") },
    drop_ins,
  };
  expect(order(sources)).toEqual({ commands: ["1", "2", "upper", "a", "b", "last", "9"], skipped: [] });
});

it("reads only YAML files that lie directly in the folder", () => {
  const drop_ins = {
    "notes.txt": yaml("x"),
    "sub/a.yaml": yaml("x"),
    "a.yaml.bak": yaml("x"),
    "empty.yaml": "# none\n",
    "b.yml": "",
  };
  expect(order({ drop_ins }).skipped).toEqual([]);
  expect(order({}).commands).toEqual([]);
});

it.each([
  ["broken YAML", "turn_end: [\n"],
  ["an unknown event", `${yaml("x")}turn_over: []\n`],
  ["a misspelt key", "turn_end:\n  type: command\n  comand: x\n"],
  ["a type that is none", "turn_end:\n  type: webhook\n"],
  ["a list", "- turn_end\n"],
  ["a hook that cannot be there", "turn_end:\n  type: evaluator\n  evaluator: e\n"],
  ["more than a mebibyte", `# ${"x".repeat(1_048_577)}\n`],
])("skips a drop-in with %s as a whole", (_name, text) => {
  expect(order({ drop_ins: { "1.yaml": text, "2.yaml": yaml("kept") } })).toEqual({
    commands: ["kept"],
    skipped: ["1.yaml"],
  });
});

it("takes no other source with a problem", () => {
  for (const source of ["agent", "settings", "cli"])
    expect(() => order({ [source]: { turn_end: [{ type: "command" }] } })).toThrow(
      "hooks.turn_end[0]: command is required",
    );
});
