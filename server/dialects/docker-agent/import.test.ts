/** docker-agent's own files as policies: hooks word for word, permission lists where they are exact, and a line for everything else. */
import { describe, expect, it } from "vitest";
import { readPolicy } from "../../policies/text/source.ts";
import { importDockerAgent } from "./import.ts";

const AGENT_FILE = `version: "8"
models:
  main: { provider: openai, model: gpt }
agents:
  root:
    model: main
    instruction: not-for-a-page
    redact_secrets: true
    toolsets:
      - type: shell
      - type: mcp
        ref: docker:tickets
    hooks:
      tool_guard:
        - matcher: "shell"
          hooks:
            - &audit { type: command, command: ./audit.sh, timeout: 5 }
      pre_tool_use:
        - matcher: "edit_.*"
          preempt_yolo: true
          hooks: [{ type: builtin, command: safer_shell }]
        - matcher: "*"
          hooks:
            - { type: command, command: "curl https://deck.example/api/v1/hooks/pre_tool_use?lane=default" }
      before_agent_run: { type: command, command: ./route.sh }
      tool_call: { type: command, command: ./x.sh }
      stop: { type: command, command: ./bye.sh, on_error: block }
  helper:
    hooks:
      tool_guard:
        - matcher: "shell"
          hooks: [*audit]
permissions:
  deny: ["shell:cmd=sudo *", "delete_*", 7]
  ask: ["read_file", "list_*"]
  allow: ["read_*", "think"]
`;

const linesOf = (text: string) => {
  const { carried, notCarried } = importDockerAgent(text);
  return [
    ...carried.map((one) => `${one.line} + ${one.text}`),
    ...notCarried.map((one) => `${one.line} - ${one.text}`),
  ];
};

describe("an agent file with two agents", () => {
  const imported = importDockerAgent(AGENT_FILE);

  it("is named line by line, with nothing left out", () =>
    expect(linesOf(AGENT_FILE)).toEqual([
      "17 + agents.root.hooks.tool_guard ./audit.sh",
      "21 + agents.root.hooks.pre_tool_use safer_shell",
      "32 + agents.helper.hooks.tool_guard ./audit.sh",
      "34 + deny delete_*",
      "35 + ask list_*",
      "36 + allow think",
      "1 - version",
      "2 - models",
      "6 - agents.root.model",
      "7 - agents.root.instruction",
      "8 - agents.root.redact_secrets",
      "10 - agents.root.toolsets shell",
      "11 - agents.root.toolsets mcp docker:tickets",
      "24 - agents.root.hooks.pre_tool_use curl https://deck.example/api/v1/hooks/pre_tool_use?lane=default",
      "25 - agents.root.hooks.before_agent_run ./route.sh",
      "26 - agents.root.hooks.tool_call ./x.sh",
      "27 - agents.root.hooks.stop ./bye.sh",
      "34 - permissions.deny",
      "34 - deny shell:cmd=sudo *",
      "35 - ask read_file",
      "36 - allow read_*",
    ]));

  it("shows no value of a setting", () => expect(JSON.stringify(imported)).not.toContain("not-for-a-page"));

  it("makes a policy that can be published, with hooks that two agents share once", () => {
    const { hooks, problems } = readPolicy(imported.policyYaml);
    expect(problems).toEqual([]);
    expect(hooks?.tool_guard).toEqual([
      { matcher: "shell", hooks: [{ run_on: "agent", type: "command", command: "./audit.sh", timeout: 5 }] },
    ]);
    const rules = hooks?.pre_tool_use?.map(({ matcher, preempt_yolo, hooks: listed }) => [
      matcher,
      preempt_yolo ?? false,
      listed?.[0]?.rules ?? listed?.[0]?.command,
    ]);
    expect(rules).toEqual([
      ["edit_.*", true, "safer_shell"],
      ["(?i)delete_.*", true, [{ deny: "The permission delete_* denies this call.", tool: "delete_*" }]],
      ["(?i)list_.*", true, [{ ask: "The permission list_* asks about this call.", tool: "list_*" }]],
      ["(?i)think", false, [{ allow: "The permission think allows this call.", tool: "think" }]],
    ]);
  });

  it("says of a hook that stood with one of several agents that the policy holds for more", () => {
    expect(imported.carried[0]?.note).toContain("for the agent root alone");
    expect(imported.carried[2]?.note).toContain("in the policy once");
  });
});

it("the user's settings give their hooks and permissions, and a drop-in file its events", () => {
  const settings =
    "settings:\n  safety: strict\n  hooks:\n    turn_end: { type: command, command: ./t.sh }\n  permissions: { deny: [fetch] }\nalias: {}\n";
  expect(linesOf(settings)).toEqual([
    "4 + settings.hooks.turn_end ./t.sh",
    "5 + deny fetch",
    "2 - settings.safety",
    "6 - alias",
  ]);
  expect(linesOf("turn_start:\n  - type: builtin\n    command: add_date\n")).toEqual(["2 + turn_start add_date"]);
});

it.each([
  ["a text that is no YAML", "a: [", "not YAML"],
  ["a list", "- a", "holds no mapping"],
  [
    "endless repetition",
    `a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`).join(",")}]`).join("\n")}`,
    "at most 100000 values",
  ],
])("%s is refused in a sentence", (_what, text, says) => {
  expect(() => importDockerAgent(text)).toThrow(says);
});
