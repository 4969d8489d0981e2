import type { ClientKnown } from "@quarterdeck/hooks/contract/client-known";
import { kindMatcher } from "@quarterdeck/hooks/contract/tool-kinds";
import { conditionWords } from "@quarterdeck/hooks/reading/describe-conditions";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { policyForm } from "@/components/policies/document/tree";
import { hookSentences, sentenceText } from "@/components/policies/sentences/rule-sentence";

const client = (title: string, shell: string[]): ClientKnown => ({ name: title, title, events: {}, tools: { shell } });
const CLIENTS = [client("One", ["Bash"]), client("Two", ["shell", "run_shell_command"])];

/** The sentences of one hook on an event of a text. */
function sentencesOf(
  event: string,
  hook: object,
  matcher?: string,
  clients: readonly ClientKnown[] = CLIENTS,
): string[] {
  const item = matcher === undefined ? hook : { matcher, hooks: [hook] };
  const node = policyForm(stringify({ profile: "2026-11", hooks: { [event]: [item] } })).events[0];
  const found = node?.entries[0]?.hooks[0] ?? node?.hooks[0];
  if (!found) throw new Error("the text has no hook");
  return hookSentences(found, { event, matcher }, clients).map(sentenceText);
}
const rules = (...all: object[]) => ({ name: "care", type: "rules", rules: all });
const SHELL = kindMatcher("shell");

describe("a rule as a sentence", () => {
  it.each([
    [
      "names the tools of the clients that the policy binds",
      [
        "pre_tool_use",
        rules({ deny: "Use a branch.", command: { program: "git", subcommand: "push", flags: ["force"] } }),
        SHELL,
      ],
      "Before a shell command (Bash, shell, run_shell_command): deny git push with force. “Use a branch.”",
    ],
    [
      "is about commands where only commands can match, whatever the matcher",
      [
        "pre_tool_use",
        rules({ ask: "Look.", any: [{ command: { program: ["rm", "unlink"] } }, { command: { setting: "core.x" } }] }),
        "*",
      ],
      "Before a shell command (Bash, shell, run_shell_command): ask a person about rm or unlink or commands that set core.x. “Look.”",
    ],
    [
      "keeps every tool where a path or a command can match",
      ["pre_tool_use", rules({ deny: "Keys stay.", path: { class: "credentials", access: ["write", "delete"] } }), "*"],
      "Before a tool call: deny credentials paths being written or deleted. “Keys stay.”",
    ],
    [
      "names the tools of a list that is of one kind",
      ["pre_tool_use", rules({ allow: "Fine." }), "Bash"],
      "Before a shell command (Bash): allow every call. “Fine.”",
    ],
    [
      "names the tools of a list of several kinds",
      ["post_tool_use", rules({ deny: "No." }), "Bash|Write"],
      "After a tool call (Bash, Write): deny every call. “No.”",
    ],
    [
      "shows a pattern",
      ["pre_tool_use", rules({ deny: "No." }), "deploy_.*"],
      "Before a call of a tool that fits deploy_.*: deny every call. “No.”",
    ],
    [
      "says that it sets a mark only",
      ["pre_tool_use", rules({ mark: "read_keys", path: { class: "credentials" } }), "*"],
      "Before a tool call: set the mark read_keys on credentials paths.",
    ],
  ] as const)("%s", (_, [event, hook, matcher], expected) => {
    expect(sentencesOf(event, hook, matcher)).toEqual([expected]);
  });

  it("is one for each rule, in their order", () => {
    expect(
      sentencesOf("pre_tool_use", rules({ deny: "a", kind: "fetch" }, { ask: "b", sql: { statement: "drop *" } }), "*"),
    ).toEqual(["Before a tool call: deny web requests. “a”", "Before a tool call: ask a person about SQL drop *. “b”"]);
  });

  it("names usual tools while no client is known", () => {
    expect(sentencesOf("pre_tool_use", rules({ deny: "a" }), SHELL, [])[0]).toMatch(
      /^Before a shell command \(Bash, PowerShell, Shell\): /,
    );
  });
});

describe("a hook without rules as a sentence", () => {
  it.each([
    [
      "a command",
      "pre_tool_use",
      { type: "command", command: "grep -q rm && exit 2" },
      "Bash",
      "Before a shell command (Bash): run grep -q rm && exit 2.",
    ],
    [
      "a builtin with arguments",
      "before_llm_call",
      { type: "builtin", command: "max_iterations", args: ["50"] },
      undefined,
      "Before a model call: ends a run that makes more model calls than allowed (50).",
    ],
    [
      "a builtin that is not known",
      "turn_start",
      { type: "builtin", command: "other" },
      undefined,
      "Turn start: run other.",
    ],
    [
      "a judge",
      "pre_tool_use",
      { type: "model", name: "risk", model: "m-1", prompt: "Is it safe?" },
      "*",
      "Before a tool call: ask the judge risk (m-1).",
    ],
    [
      "an evaluator",
      "tool_guard",
      { type: "evaluator", evaluator: "harm" },
      "*",
      "Before a tool call: ask the evaluator harm.",
    ],
  ])("of %s", (_, event, hook, matcher, expected) => {
    expect(sentencesOf(event, hook, matcher)).toEqual([expected]);
  });

  it.each([{ type: "command", command: "" }, { type: "rules", rules: [] }, { type: "model" }, {}])(
    "is none while nothing is written of it: %j",
    (hook) => {
      expect(sentencesOf("pre_tool_use", hook, "*")).toEqual([]);
    },
  );
});

describe("conditions in words", () => {
  it.each([
    [{}, "every call"],
    [
      { command: { program: "rm", flags: ["recursive", "force"], target: { path: "/**", not: "/tmp/**" } } },
      "rm with recursive and force on /** except /tmp/**",
    ],
    [{ command: { program: "curl", host: { class: "metadata" } } }, "curl to hosts of the cloud metadata"],
    [{ host: { not: ["a.example", "b.example"] } }, "any host except a.example or b.example"],
    [{ path: { path: ["a", "b", "c", "d", "e", "f"] } }, "a, b, c, d or 2 more"],
    [{ mcp: { server: "db", tool: "drop_*" } }, "MCP tool drop_* of the server db"],
    [{ sql: { statement: ["delete", "update"], without_where: true } }, "SQL delete or update without WHERE"],
    [{ opaque: true }, "commands that cannot be read"],
    [{ label: ["unknown", "destructive"] }, "commands labelled not known or deletes or overwrites"],
    [
      { larger_than: 20_000, agent: "ci", after: "keys", within: "30m" },
      "arguments over 20,000 bytes, by agent ci, after the mark keys, within 30m",
    ],
    [{ not: { kind: "read" } }, "unless file reads"],
    [{ command: "wrong", path: 4, other: "x" }, "every call"],
  ])("%j", (fields, expected) => {
    expect(conditionWords(fields)).toBe(expected);
  });

  it("ends however deep conditions nest", () => {
    let deep: object = { kind: "shell" };
    for (let depth = 0; depth < 50; depth += 1) deep = { not: deep };
    expect(conditionWords(deep as Readonly<Record<string, unknown>>)).toContain("…");
  });
});
