import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { gateScript, shellGateScript } from "./gate-scripts.ts";

const run = (script: string, stdin: string) =>
  spawnSync("/bin/sh", ["-c", script], {
    input: stdin,
    encoding: "utf8",
    env: { NODE_ENV: "test", PATH: "/usr/bin:/bin" },
  }).stdout;
const TEXT = gateScript(`printf '%s' "$text"`);
const textOf = (stdin: string) =>
  run(TEXT, stdin)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
const REFUSED = expect.stringContaining('"permission_decision":"deny"');

describe("the texts of a call", () => {
  it.each([
    [
      "escapes as Go writes them",
      String.raw`{"tool_input":{"cmd":"a \u0026\u0026 r\u006d \u003e b"}}`,
      ["a", "rm > b"],
    ],
    ["blanks around everything", '{ "tool_input" : {\n "cmd" : "ls -l" } }', ["ls -l"]],
    ["only below tool_input", '{"cwd":"rm","tool_input":{"a":"x"},"session_id":"rm"}', ["x"]],
    ["deep ones, and lists as one line", '{"tool_input":{"a":{"b":["x","y"]},"c":1,"d":"z"}}', ["x y", "z"]],
    ["no names of arguments", '{"tool_input":{"rm -rf /":"x"}}', ["x"]],
    [
      "a key that another text imitates",
      String.raw`{"cwd":"\"tool_input\":{\"a\":\"rm\"}","tool_input":{"a":"x"}}`,
      ["x"],
    ],
    ["backslashes before a quote", String.raw`{"tool_input":{"a":"x\\\\","b":"y\\\"z"}}`, ["x", "yz"]],
    [
      "a line that goes on, and one that does not",
      String.raw`{"tool_input":{"a":"r\\\nm","b":"x\\\\\ny"}}`,
      ["rm", "x", "y"],
    ],
  ])("are %s", (_, stdin, texts) => expect(textOf(stdin)).toEqual(texts));

  it.each([
    ["empty", ""],
    ["no JSON", "rm -rf /"],
    ["cut in a text", '{"tool_input":{"cmd":"ls'],
    ["cut between texts", '{"tool_input":{"cmd":"ls"'],
    ["without arguments", '{"tool_name":"shell"}'],
    ["a key inside another object", '{"x":{"tool_input":{"cmd":"ls"}}}'],
  ])("refuse an input that is %s", (_, stdin) => expect(run(TEXT, stdin)).toEqual(REFUSED));
});

it("a call of 2 MiB full of quotes and line ends is judged to its end", () => {
  const cmd = `${'echo "a"\n'.repeat(200_000)}halt`;
  const stdin = JSON.stringify({ tool_input: { cmd } });
  expect(run(shellGateScript(`when deny 'halt$' "Found."`), stdin)).toContain("Found.");
  expect(run(shellGateScript(`when deny 'never$' "Found."`), stdin)).toBe("");
});
