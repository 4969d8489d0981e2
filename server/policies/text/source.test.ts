import { describe, expect, it } from "vitest";
import { checkPolicy, readPolicy } from "./source.ts";
import { STARTING_SOURCE } from "./starting-policy.ts";

/** The problems of a text, each as "line:column-endLine:endColumn message". */
const problemsOf = (source: string) =>
  readPolicy(source).problems.map(
    ({ line, column, endLine, endColumn, message }) => `${line}:${column}-${endLine}:${endColumn} ${message}`,
  );
const messagesOf = (source: string) => readPolicy(source).problems.map(({ message }) => message);

describe("a policy's text", () => {
  it("may be a mapping with hooks, or the hooks block alone", () => {
    const hook = "pre_tool_use:\n  - hooks: [{type: command, command: 'true'}]\n";
    expect(readPolicy(hook).hooks).toEqual(readPolicy(`hooks:\n${hook.replace(/^/gm, "  ")}`).hooks);
  });
  it("that a new policy begins with can be published", () => {
    expect(readPolicy(STARTING_SOURCE).problems).toEqual([]);
    expect(checkPolicy(STARTING_SOURCE).events).toEqual([{ event: "pre_tool_use", hooks: 1, agentHooks: 0 }]);
  });
});

describe("every problem stands at its place", () => {
  it.each([
    ["hooks:\n  pre_tool_us:\n    - x", '2:3-2:14 unknown event "pre_tool_us" (did you mean "pre_tool_use"?)'],
    ["hooks:\n  stop:\n    - type: comand\n      command: x", /^3:7-4:\d+ unsupported hook type 'comand'/],
    ["hooks:\n  stop:\n    - type: command\n      command: x\n      timout: 5", /^5:7-5:16 unknown key.*timeout/],
    ["hooks:\n  stop:\n    - type: command\n      command: x\n      timeout: soon", /^5:7-5:20 must be a whole number/],
    ["hooks:\n  stop:\n    - type: command", /^3:7-3:\d+ command is required/],
    ["# a policy\nhooks: {}\ntools: []\n", /^3:1-3:6 Unknown key "tools"/],
    ['# a policy\nprofile: "2025-01"\nhooks: {}\n', /^2:1-2:19 Unknown profile "2025-01"/],
    ["hooks:\n  stop: []\n  stop: []\n", '3:3-3:7 The key "stop" is written twice.'],
    ["hooks:\n\tstop: []", /^2:\d+-2:\d+ .*[Tt]abs?/],
    ["hooks: {stop: [", /^1:\d+-1:\d+ /],
  ])("%j", (source, expected) => {
    const problems = problemsOf(source);
    expect(problems[0]).toMatch(typeof expected === "string" ? new RegExp(`^${escaped(expected)}$`) : expected);
  });
});

describe("refused in words, never by a crash", () => {
  it.each([
    ["", "The policy is empty"],
    ["~", "The policy is empty"],
    ["# only a comment", "The policy is empty"],
    ["- a list", "A policy is a mapping"],
    ["just text", "A policy is a mapping"],
    ["agents: {root: {}}", "This is an agent file"],
    ["models: {}", "A policy needs a `hooks:` mapping"],
    ["a: &a [1]\nhooks: *a", "Aliases"],
    ["hooks: {}\n---\nhooks: {}", "documents"],
    ["profile: [2026-07]\nhooks: {}", "Unknown profile of another type"],
    ["hooks:\n  pre_tool_use:\n    - matcher: '('\n      hooks: [{type: command, command: x}]", "matcher"],
    ["hooks:\n  stop:\n    - {type: builtin, command: redact_secret}", "no builtin called"],
  ])("%j", (source, words) => {
    const { hooks, problems } = readPolicy(source);
    expect(hooks).toBeNull();
    expect(problems.map(({ message }) => message).join(" ")).toContain(words);
  });

  it("a matcher that does not compile, once, in either profile", () => {
    for (const profile of ["2026-07", "2026-08"]) {
      const source = `profile: "${profile}"\nhooks:\n  pre_tool_use:\n    - matcher: "a(?!b)"\n      hooks: [{type: command, command: x}]`;
      const said = messagesOf(source);
      expect(said.length).toBe(1);
      expect(said[0]).toContain("invalid matcher");
    }
  });
  it("a tower of brackets", () => {
    expect(readPolicy(`${"[".repeat(50_000)}${"]".repeat(50_000)}`).hooks).toBeNull();
    expect(messagesOf(`a: ${"[".repeat(80)}${"]".repeat(80)}`).join(" ")).toContain("Nested deeper than 64 levels");
  });
  it("a billion laughs", () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
    for (let n = 1; n < 12; n += 1)
      lines.push(
        `a${n}: &a${n} [${Array(9)
          .fill(`*a${n - 1}`)
          .join(", ")}]`,
      );
    expect(messagesOf(lines.join("\n"))[0]).toContain("Aliases");
  });
  it("tens of thousands of keys, and thousands of the same", () => {
    const keys = Array.from({ length: 40_000 }, (_, at) => `  k${at}:`).join("\n");
    const startMs = performance.now();
    expect(messagesOf(`hooks:\n${keys}`)).toEqual(["A mapping has more than 5,000 keys. Split the text."]);
    expect(messagesOf(`hooks:\n${"  same:\n".repeat(4_000)}`).length).toBe(50);
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

describe("what the linter says", () => {
  const findingsOf = (source: string) => checkPolicy(source).findings.map(({ rule, line }) => `${line} ${rule}`);
  it("stands at its line, and refuses nothing", () => {
    const source = "hooks:\n  stop:\n    - type: command\n      command: |\n        echo no >&2\n        exit 2\n";
    expect(findingsOf(source)).toEqual(["4 output-ignored"]);
    expect(readPolicy(source).hooks).not.toBeNull();
  });
  it("of a block alone stands at its line too", () => {
    expect(findingsOf("stop:\n  - {type: command, command: exit 2}\n")).toEqual(["2 output-ignored"]);
  });
  it("knows what redact_secrets knows, and takes a variable for none", () => {
    const secret = (text: string) =>
      findingsOf(`hooks:\n  turn_end:\n    - {type: command, command: "echo ${text} >/dev/null"}\n`);
    expect(secret(`${"ghp_"}${"A1b2".repeat(9)}`)).toContain("3 secret-in-text");
    expect(secret("Authorization: Bearer $CI_TOKEN")).not.toContain("3 secret-in-text");
  });
  it("of the policy that a new one begins with is no warning", () => {
    expect(checkPolicy(STARTING_SOURCE).findings.filter(({ severity }) => severity === "warning")).toEqual([]);
  });
});
