import { describe, expect, it } from "vitest";
import { SHAPE_EXAMPLES } from "../shape-examples.ts";
import { readPolicyText } from "../text/policy-text.ts";

const HEAD = "hooks.pre_tool_use[0].hooks[0].";
const policy = (rule: string, hook = "") =>
  `hooks:\n  pre_tool_use:\n    - hooks:\n        - type: rules\n${hook}          rules:\n            - ${rule}\n`;
const problemsOf = (text: string) =>
  readPolicyText(text, { builtins: [], models: false }).problems.map(
    ({ line, column, path, message }) => `${line}:${column} ${path.replace(HEAD, "")}: ${message}`,
  );

describe("a rule that cannot be read is refused at its key", () => {
  const table: readonly (readonly [rule: string, problem: string])[] = [
    ["5", `6:15 rules[0]: must be a mapping, such as ${SHAPE_EXAMPLES.rule}`],
    ["{ deny: x, any: [5] }", "6:32 rules[0].any[0]: must be a mapping, such as { tool: shell }"],
    ["{ deny: x, comand: { program: rm } }", '6:26 rules[0].comand: unknown key (did you mean "command"?)'],
    [
      "{ deny: x, not: { deny: y } }",
      "6:33 rules[0].not.deny: unknown key: deny belongs to the rule, not to a condition in it",
    ],
    ["{ deny: x, mcp: { name: a } }", "6:33 rules[0].mcp.name: unknown key (known: server, tool, not)"],
    [
      "{ deny: x, command: [rm] }",
      "6:26 rules[0].command: must be a mapping, such as { program: rm, flags: [recursive] }",
    ],
    ["{ deny: x, command: { program: 3 } }", "6:37 rules[0].command.program: must be a text, or a list of texts"],
    ["{ deny: x, command: { flags: recursive } }", "6:37 rules[0].command.flags: must be a list"],
    ["{ deny: x, path: { outside: home } }", "6:34 rules[0].path.outside: must be project"],
    ["{ deny: x, opaque: false }", "6:26 rules[0].opaque: must be true"],
    ["{ deny: x, tool: [] }", "6:26 rules[0].tool: must have at least one entry"],
    ['{ deny: "" }', "6:17 rules[0].deny: must not be empty"],
    ["{ deny: x, larger_than: -1 }", "6:26 rules[0].larger_than: must be at least 0"],
    ["{ deny: x, larger_than: big }", "6:26 rules[0].larger_than: must be a whole number"],
    ["{ deny: x, ask: y }", "6:15 rules[0]: A rule has one verdict: deny, ask or allow."],
    ["{ tool: shell }", "6:15 rules[0]: A rule has a verdict (deny, ask or allow), or a mark to set."],
    ["{ deny: x, within: 3m }", "6:26 rules[0].within: `within` requires `after` with the mark's name."],
    [
      "{ deny: x, any: [{ within: 3m }] }",
      "6:34 rules[0].any[0].within: `within` requires `after` with the mark's name.",
    ],
  ];
  it.each(table)("%s", (rule, problem) => expect(problemsOf(policy(rule))).toEqual([problem]));

  it("on a line of its own, too", () => {
    expect(problemsOf(policy("deny: x\n              path:\n                class: secret"))).toEqual([
      expect.stringMatching(/^8:17 rules\[0\]\.path\.class: there is no class of paths called "secret"/),
    ]);
  });
});

describe("a name that no call can have is refused with the name that was meant", () => {
  const table: readonly (readonly [condition: string, message: string])[] = [
    ["path: { class: credential }", 'there is no class of paths called "credential" (did you mean "credentials"?)'],
    ["host: { class: [privat] }", 'there is no class of hosts called "privat" (did you mean "private"?)'],
    ["kind: shel", 'there is no kind of tool called "shel" (did you mean "shell"?)'],
    ["opaque: [downloads]", 'there is no kind of opaque part called "downloads" (did you mean "download"?)'],
    ["command: { program: terrafrom }", 'no known program is called "terrafrom" (did you mean "terraform"?)'],
    ["command: { program: [rm, crul] }", 'no known program is called "crul" (did you mean "curl"?)'],
    ["command: { program: timout }", 'no known program is called "timout" (did you mean "timeout"?)'],
    ["command: { program: pip3 }", 'rules know this program as "pip": write that name'],
    ["command: { program: /usr/bin/git }", 'rules know a program by its name, wherever it is: write "git"'],
    ["command: { program: git, subcommand: psuh }", 'git has no subcommand "psuh" (did you mean "push"?)'],
    ["command: { program: rm, flags: [recursiv] }", 'meaning "recursiv" (did you mean "recursive"?)'],
    ["command: { program: rm, flags: [-rf] }", "write [r, f], or by meaning [recursive, force]"],
    ["not: { any: [{ command: { program: kubctl } }] }", '(did you mean "kubectl"?)'],
  ];
  it.each(table)("%s", (condition, message) => {
    expect(problemsOf(policy(`{ deny: x, ${condition} }`))).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    "command: { program: bat }",
    "command: { program: our-deploy-tool }",
    'command: { program: "kubctl*" }',
    "command: { program: git, subcommand: revert }",
    "command: { program: git, subcommand: [push, remote add], flags: [force-with-lease] }",
    "command: { program: rm, flags: [--recursiv] }",
    "command: { program: npm, subcommand: publish, flags: [force] }",
    "command: { program: curl, flags: [k] }",
  ])("%s is taken", (condition) => expect(problemsOf(policy(`{ deny: x, ${condition} }`))).toEqual([]));
});

describe("hooks of type rules", () => {
  const at = (event: string, profile: string) =>
    `profile: "${profile}"\nhooks:\n  ${event}:\n    - hooks:\n        - { type: rules, rules: [{ deny: x, kind: shell }] }\n`;

  it.each(["pre_tool_use", "permission_request", "tool_guard"])("are taken on %s", (event) => {
    expect(problemsOf(at(event, "2026-08"))).toEqual([]);
  });

  it.each(["tool_input_transform", "post_tool_use", "tool_response_transform"])("are refused on %s", (event) => {
    expect(problemsOf(at(event, "2026-08"))).toEqual([
      expect.stringContaining(`${event} takes no verdict about one: put them on tool_guard or pre_tool_use or`),
    ]);
  });

  it("are refused where there is no call", () => {
    const [problem] = problemsOf("hooks:\n  stop:\n    - { type: rules, rules: [{ deny: x }] }\n");
    expect(problem).toMatch(/^3:9 hooks\.stop\[0\]\.type: rules decide about a tool call/);
  });

  it.each(["after: m", "agent: a", "tag: t", "mark: m", "not: { any: [{ tag: t }] }"])(
    "with `%s` are refused beside an agent, where it is not known",
    (condition) => {
      const [problem] = problemsOf(policy(`{ deny: x, ${condition} }`, "          run_on: agent\n"));
      expect(problem).toMatch(/run on the server, which knows it\. Leave run_on out$/);
    },
  );

  it("are taken beside an agent when the call alone decides", () => {
    expect(problemsOf(policy("{ deny: x, kind: shell }", "          run_on: agent\n"))).toEqual([]);
  });
});
