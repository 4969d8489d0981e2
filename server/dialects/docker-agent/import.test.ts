/** docker-agent's own files as policies: hooks word for word, permission lists where they are exact, and a line for everything else. */
import { describe, expect, it } from "vitest";
import { BUILTIN_NAMES } from "../../hooks/contract/builtins.ts";
import { readPolicyText } from "../../hooks/contract/text/policy-text.ts";
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
      "25 + agents.root.hooks.before_agent_run ./route.sh",
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
    expect(imported.carried[3]?.note).toContain("in the policy once");
  });

  it("is of the newest profile, where safer_shell is named as no gate", () => {
    expect(readPolicy(imported.policyYaml).profile).toBe("2026-11");
    expect(imported.carried[1]?.note).toContain("safer_shell is no gate: it only labels commands and asks nobody");
    expect(imported.carried[2]?.note).toContain("The agents that it may select are in routing of the agent's file.");
  });
});

const NEWEST_FILE = `version: 16
evaluators:
  reach: { provider: typesafe, model: small, type: boolean, instructions: not-for-a-page }
  next: { provider: typesafe, model: small, type: choice, instructions: not-for-a-page, choices: { a: x, b: y } }
agents:
  root:
    routing: { allowed_agents: [helper], default_agent: helper }
    toolsets:
      - { type: shell, safer: true }
    hooks:
      tool_guard:
        - matcher: shell
          hooks:
            - type: evaluator
              evaluator: reach
              evaluator_policy: { decisions: { "true": deny }, min_probability: 0.75, fallback: ask }
            - { type: model, model: a/b, prompt: Judge., schema: guard_decision, system_prompt: Be strict. }
      before_agent_run:
        type: evaluator
        evaluator: next
        routing_policy: { routes: { a: helper, b: root }, min_probability: 0.6 }
      skill_content_guard: { type: command, command: ./read.sh }
      turn_start: { type: builtin, command: add_context, args: [Branches only.] }
`;

describe("a file of a docker-agent with evaluators", () => {
  const { policyYaml, carried, notCarried } = importDockerAgent(NEWEST_FILE);

  it("gives evaluators, routes, guards and their keys word for word", () => {
    const { profile, hooks } = readPolicyText(policyYaml, { builtins: BUILTIN_NAMES, models: true, evaluators: true });
    expect(profile).toBe("2026-11");
    expect(hooks).toEqual({
      tool_guard: [
        {
          matcher: "shell",
          hooks: [
            {
              type: "evaluator",
              evaluator: "reach",
              evaluator_policy: { decisions: { true: "deny" }, min_probability: 0.75, fallback: "ask" },
            },
          ],
        },
        {
          matcher: "shell",
          hooks: [
            { type: "model", model: "a/b", prompt: "Judge.", schema: "guard_decision", system_prompt: "Be strict." },
          ],
        },
      ],
      before_agent_run: [
        {
          type: "evaluator",
          evaluator: "next",
          routing_policy: { routes: { a: "helper", b: "root" }, min_probability: 0.6 },
        },
      ],
      skill_content_guard: [{ run_on: "agent", type: "command", command: "./read.sh" }],
      turn_start: [{ type: "builtin", command: "add_context", args: ["Branches only."] }],
    });
    expect(carried.map(({ note }) => note).join(" ")).toMatch(/asks the evaluator reach of the agent's file/);
  });

  it("names what no policy holds: the evaluators, the routing and the shell's switch", () => {
    expect(notCarried.map(({ line, text, reason }) => `${line} ${text}: ${reason}`)).toEqual([
      expect.stringMatching(/^1 version: /),
      expect.stringMatching(/^2 evaluators: An evaluator is defined in the agent's file/),
      expect.stringMatching(/^7 agents\.root\.routing: .* stays in the agent's file/),
      expect.stringMatching(
        /^9 agents\.root\.toolsets shell: .* switch safer is not carried: a current docker-agent does not ask/,
      ),
    ]);
    expect(JSON.stringify([notCarried, policyYaml])).not.toContain("not-for-a-page");
  });
});

it("safer_shell keeps the profile in which it asks, unless the file is of a docker-agent that only labels", () => {
  const gate = "pre_tool_use:\n  - { preempt_yolo: true, hooks: [{ type: builtin, command: safer_shell }] }\n";
  const older = importDockerAgent(gate);
  expect(readPolicy(older.policyYaml)).toMatchObject({ profile: "2026-08", problems: [] });
  expect(older.carried[0]?.note).toContain("The policy keeps profile 2026-08, in which safer_shell asks");
  const newer = importDockerAgent(`${gate}prompt_file_guard: { type: command, command: x }\n`);
  expect(readPolicy(newer.policyYaml).profile).toBe("2026-11");
  expect(newer.carried[0]?.note).toContain("safer_shell is no gate");
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
