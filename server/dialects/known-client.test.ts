/** The linter's findings for each client, held to the tables of capabilities. */
import { clientKnown } from "@quarterdeck/hooks/contract/client-known";
import { CODEX, QWEN } from "@quarterdeck/hooks/contract/lint/example-clients";
import { checkText } from "@quarterdeck/hooks/contract/text/check";
import { toolKindOf } from "@quarterdeck/hooks/contract/tool-kinds";
import { describe, expect, it } from "vitest";
import { knownClient } from "./known-client.ts";
import { CLIENT_NAMES, type ClientName } from "./schema.ts";

const all = CLIENT_NAMES.map((name) => knownClient(name));

const messagesOf = (source: string, names: readonly ClientName[]): string[] =>
  checkText(`profile: "2026-08"\nhooks:\n${source}`, {
    equipment: { builtins: ["redact_secrets", "max_iterations"], models: true },
    tools: [],
    clients: names.map((name) => knownClient(name)),
  })
    .findings.filter(({ rule }) => rule.startsWith("client-"))
    .map(({ message }) => message);

const command = (event: string, text: string): string =>
  `  ${event}:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: |\n            ${text}\n`;
const answer = (fields: string): string => `echo '{"hook_specific_output":{${fields}}}'`;

it("a client is known by its table, in the words of the linter", () => {
  for (const client of all) expect(clientKnown.parse(client)).toEqual(client);
});

it.each([CODEX, QWEN])("the $title of the examples is a part of the table", ({ name, title, events }) => {
  const whole = all.find((client) => client.name === name);
  expect(whole?.title).toBe(title);
  for (const [event, answering] of Object.entries(events)) expect(whole?.events[event]).toEqual(answering);
  expect(whole?.events.before_llm_call).toBeUndefined();
});

describe("an event that a client never sends", () => {
  it("is named with all clients that lack it, once for all hooks on it", () => {
    const source =
      "  before_llm_call:\n    - {type: builtin, command: max_iterations, args: ['9']}\n    - {type: command, command: 'true'}\n";
    expect(messagesOf(source, ["gemini", "codex", "cursor"])).toEqual([
      "Codex and Cursor never send before_llm_call: its hooks do not run there",
    ]);
  });
  it("is none where it is a stage of another event", () => {
    expect(messagesOf(command("tool_input_transform", "true"), CLIENT_NAMES)).toEqual([]);
    expect(messagesOf(command("tool_response_transform", "true"), CLIENT_NAMES)).toEqual([]);
  });
});

describe("an answer that becomes stricter", () => {
  it("a rewrite is a denial on Qwen Code and Cline, and on some events of Cursor", () => {
    const source = command("pre_tool_use", answer('"updated_input":{"command":"ls"}'));
    expect(messagesOf(source, ["qwen", "cline", "codex"])).toEqual([
      "this rewrite becomes a denial on Qwen Code and Cline",
    ]);
    expect(messagesOf(source, ["cursor"])).toEqual([
      "this rewrite becomes a denial on Cursor (beforeShellExecution, beforeMCPExecution, beforeReadFile, beforeTabFileRead)",
    ]);
  });
  it("a question is a denial where nobody can be asked", () => {
    const source = command("tool_guard", answer('"permission_decision":"ask"'));
    expect(messagesOf(source, ["gemini", "claude-code", "opencode"])).toEqual([
      "this question becomes a denial on Gemini CLI and opencode",
    ]);
  });
  it("a change of a result ends the run on Cline, also by a builtin", () => {
    const source =
      "  tool_response_transform:\n    - matcher: Bash\n      hooks:\n        - {type: builtin, command: redact_secrets}\n";
    expect(messagesOf(source, ["cline", "gemini"])).toEqual(["this change of the result ends the run on Cline"]);
  });
});

describe("an answer that a client does not follow", () => {
  it("is named with its consequence, apart for each consequence", () => {
    expect(messagesOf(command("post_tool_use", "exit 2"), ["codex", "cursor", "gemini"])).toEqual([
      "this end of the run is not followed on Codex: the reason replaces the result, and the run continues",
      "this end of the run is not followed on Cursor: the run continues",
    ]);
  });
  it("context that reaches no model is one", () => {
    const source = `  session_start:\n    - type: command\n      command: |\n        ${answer('"additional_context":"Be brief."')}\n`;
    expect(messagesOf(source, ["cline", "codex"])).toEqual(["this context does not reach the model on Cline"]);
  });
});

it("docker-agent follows everything that its events take", () => {
  const sources = [
    command("pre_tool_use", answer('"permission_decision":"ask","updated_input":{}')),
    command("post_tool_use", "exit 2"),
    command("tool_response_transform", answer('"updated_tool_response":"x"')),
    command("permission_request", answer('"permission_decision":"deny"')),
  ];
  for (const source of sources) expect(messagesOf(source, ["docker-agent"])).toEqual([]);
});

describe("the tools of a client", () => {
  it.each(CLIENT_NAMES)("of %s have names that the kind selects", (name) => {
    const { tools } = knownClient(name);
    expect(tools.shell?.length).toBeGreaterThan(0);
    for (const [kind, names] of Object.entries(tools)) for (const one of names) expect(toolKindOf(one), one).toBe(kind);
  });
});

it("an older release of docker-agent is not said to raise events that it does not know", () => {
  const eventsOf = (version: string | null) => Object.keys(knownClient("docker-agent", version).events);
  expect(eventsOf(null)).toContain("tool_guard");
  expect(eventsOf("1.147.0")).toEqual(eventsOf(null));
  expect(eventsOf(null).filter((event) => !eventsOf("1.138.0").includes(event))).toEqual([
    "before_agent_run",
    "prompt_file_guard",
    "after_agent_complete",
    "skill_content_guard",
  ]);
  expect(eventsOf("1.138.0").filter((event) => !eventsOf("1.123.0").includes(event))).toEqual([
    "tool_input_transform",
    "tool_guard",
  ]);
});
