/** Files of clients, and what is said of each line of them. */
import { LIMITS } from "@quarterdeck/hooks/contract/config";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "../../errors/app-error.ts";
import { checkPolicy, readPolicy } from "../../policies/text/source.ts";
import { IMPORTED_CLIENT_NAMES } from "../import-schema.ts";
import type { ClientImport } from "./client-import.ts";
import { CLIENT_IMPORTS } from "./service.ts";

const CLAUDE = `{
  // Of the platform team.
  "model": "opus",
  "permissions": {
    "deny": ["Bash(rm:*)", "Read(./.env)", "Skill(deploy)"],
    "allow": [
      "Read",
      "Bash(npm run lint:*)",
    ],
    "defaultMode": "acceptEdits"
  },
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          { "type": "command", "command": "./check.sh", "timeout": 5 },
          { "type": "http", "url": "https://hooks.example/x" },
          { "type": "command", "command": "curl -sS --data-binary @- https://quarterdeck.example/api/v1/hooks/claude-code/PreToolUse" }
        ]
      },
      { "matcher": "(?=Bash)", "hooks": [{ "type": "command", "command": "x" }] }
    ],
    "PermissionRequest": [{ "hooks": [{ "type": "command", "command": "./answer.sh" }] }],
    "SessionStart": [{ "matcher": "startup", "hooks": [{ "type": "command", "command": "./hello.sh" }] }],
    "CwdChanged": [{ "hooks": [{ "type": "command", "command": "./moved.sh" }] }]
  },
  "env": { "API_TOKEN": "not-for-a-page" },
  "permissions": { "deny": ["Bash(rm:*)", "Read(./.env)", "Skill(deploy)"], "allow": ["Read"], "ask": "Bash" }
}
`;

const lines = (imported: ClientImport) => [
  ...imported.carried.map(({ line, text }) => `${line} + ${text}`),
  ...imported.notCarried.map(({ line, text }) => `${line} - ${text}`),
];

describe("settings of Claude Code", () => {
  const imported = CLIENT_IMPORTS["claude-code"](CLAUDE);
  it("are named line by line, with nothing left out", () =>
    expect(lines(imported)).toEqual([
      "17 + PreToolUse ./check.sh",
      "25 + SessionStart ./hello.sh",
      "29 + deny Bash(rm:*)",
      "29 + deny Read(./.env)",
      "29 + allow Read",
      "3 - model",
      "4 - permissions",
      "18 - PreToolUse http",
      "19 - PreToolUse curl -sS --data-binary @- https://quarterdeck.example/api/v1/hooks/claude-code/PreToolUse",
      "22 - PreToolUse x",
      "24 - PermissionRequest ./answer.sh",
      "26 - CwdChanged ./moved.sh",
      "28 - env",
      "29 - permissions.ask",
      "29 - deny Skill(deploy)",
    ]));
  it("show no value of a setting", () => expect(JSON.stringify(imported)).not.toContain("not-for-a-page"));
  it("make a policy that can be published, without a warning of the linter", () => {
    const { problems, findings } = checkPolicy(imported.policyYaml);
    expect(problems).toEqual([]);
    expect(findings.filter(({ severity }) => severity === "warning")).toEqual([]);
  });
});

it("of a key that is written twice the client's one counts, and the other is named", () => {
  const { notCarried } = CLIENT_IMPORTS.cursor(
    '{\n"hooks": {"stop": [{"command": "a"}],\n"stop": [{"command": "b"}]}}',
  );
  expect(notCarried).toEqual([{ line: 2, text: "hooks.stop", reason: expect.stringContaining("written again") }]);
});

it.each([
  ["mcp__board", "Every tool of the server."],
  ["mcp__board__*", "Every tool of the server."],
  ["mcp__board__get_*", "Every call of the tools with such a name."],
  ["mcp__board__show", "Every call of the tool."],
  ["Notebook*", "Every call of the tools with such a name."],
  ["Skill", "Every call of the tool."],
])("the note of the rule %s says which tools it holds for", (rule, note) => {
  const { carried } = CLIENT_IMPORTS["claude-code"](JSON.stringify({ permissions: { deny: [rule] } }));
  expect(carried.map((one) => one.note)).toEqual([note]);
});

it.each([
  ["claude-code", "PermissionRequest", { type: "http", url: "https://deck.example/api/v1/hooks/claude-code/x" }],
  ["claude-code", "CwdChanged", { type: "command", command: "quarterdeck hook --dialect claude-code CwdChanged" }],
  ["copilot", "postToolUse", { type: "command", bash: "node ~/.quarterdeck/quarterdeck-hook.mjs copilot" }],
  ["copilot", "preToolUse", { type: "command", powershell: "node quarterdeck-hook.mjs copilot" }],
] as const)("a hook that an enrolment of %s wrote for %s is named as one", (client, event, hook) => {
  const { notCarried } = CLIENT_IMPORTS[client](JSON.stringify({ hooks: { [event]: [{ hooks: [hook] }] } }));
  expect(notCarried.map(({ reason }) => reason)).toEqual([expect.stringContaining("It asks Quarterdeck already.")]);
});

/** Clients whose scripts read other words than a policy's; docker-agent's hooks are taken as they are. */
const TRANSLATED = IMPORTED_CLIENT_NAMES.filter((client) => client !== "docker-agent");

it.each(TRANSLATED)("the longest script of %s fits into a policy", (client) => {
  const [event, key] = {
    "claude-code": ["PostToolUse", "command"],
    codex: ["PreToolUse", "command"],
    copilot: ["PreToolUse", "bash"],
    cursor: ["beforeShellExecution", "command"],
  }[client];
  const fits = (length: number) => {
    const hooks = { [event as string]: [{ hooks: [{ type: "command", [key as string]: "x".repeat(length) }] }] };
    const imported = CLIENT_IMPORTS[client](JSON.stringify({ hooks }));
    expect(readPolicy(imported.policyYaml).problems).toEqual([]);
    return imported.carried.length === 1;
  };
  expect([fits(LIMITS.commandCharsMax - 8_192), fits(LIMITS.commandCharsMax - 8_191)]).toEqual([true, false]);
});

it("lines of TOML are those of the headers", () => {
  const { carried, notCarried } = CLIENT_IMPORTS.codex(
    `model = "gpt"\n[hooks]\nmanaged_dir = "/etc"\n\n[[hooks.PreToolUse]]\nmatcher = "Edit|Write"\n[[hooks.PreToolUse.hooks]]\ncommand = "a"\n[[hooks.PreToolUse.hooks]]\ntype = "prompt"\nprompt = "b"\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = "c"\n`,
  );
  expect(carried.map(({ line, text }) => [line, text])).toEqual([
    [7, "PreToolUse a"],
    [14, "Stop c"],
  ]);
  expect(notCarried.map(({ line, text }) => [line, text])).toEqual([
    [1, "model"],
    [3, "hooks.managed_dir"],
    [9, "PreToolUse prompt"],
  ]);
});

it("Codex's matcher of edits selects its patches too", () => {
  const { policyYaml } = CLIENT_IMPORTS.codex(
    '{"hooks":{"PreToolUse":[{"matcher":"Edit|Write","hooks":[{"command":"x"}]}]}}',
  );
  expect(readPolicy(policyYaml).hooks?.pre_tool_use?.[0]?.matcher).toBe("Edit|Write|apply_patch");
});

it.each([
  ["text that is no JSON", "{\n oops", /Line 2/],
  ["a list", "[]", /no JSON object/],
  ["nothing", "", /not JSON/],
  ["brackets without end", "[".repeat(200_000), /nested too deeply/],
  ["a file of 2 MiB", `{"a":"${"x".repeat(2_000_000)}"}`, /at most 1 MiB/],
  ["thousands of rules", JSON.stringify({ permissions: { deny: Array(5_000).fill("Bash(x)") } }), /at most 1000/],
])("%s is refused in a sentence", (_, text, says) =>
  expect(() => CLIENT_IMPORTS["claude-code"](text)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(says) }),
  ),
);

it("long rules fit into scripts", () => {
  const deny = Array.from({ length: 20 }, (_, index) => `Read(./${"folder/".repeat(130)}${index})`);
  const { policyYaml } = CLIENT_IMPORTS["claude-code"](JSON.stringify({ permissions: { deny } }));
  const commands = (readPolicy(policyYaml).hooks?.pre_tool_use ?? []).flatMap(({ hooks = [] }) => hooks);
  expect(commands.length).toBeGreaterThan(5);
  for (const { command = "" } of commands) expect(command.length).toBeLessThan(LIMITS.commandCharsMax);
});

it("TOML that cannot be read is refused with its line", () =>
  expect(() => CLIENT_IMPORTS.codex('a = 1\nb = "')).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/Line 2/) }),
  ));

const tool = fc.oneof(
  fc.constantFrom(
    "Bash",
    "Read",
    "Edit",
    "Write",
    "WebFetch",
    "Task",
    "Grep",
    "mcp__a",
    "mcp__a__b",
    "mcp__a__*",
    "Skill",
  ),
  fc.string({ maxLength: 12 }),
);
const specifier = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom(
    "*",
    "rm:*",
    "./a/**",
    "domain:a.example",
    "(x)",
    "'; touch /tmp/x; '",
    "$(id)",
    "\\",
    "!a",
    "../../b",
    "{a,b}*",
  ),
);
const rule = fc.oneof(
  fc.tuple(tool, specifier).map(([name, inside]) => `${name}(${inside})`),
  tool,
  fc.string({ unit: "binary", maxLength: 30 }),
);
const rules = fc.array(rule, { maxLength: 8 });

it("every rule is carried or named, whatever is in it, and the policy can be read", () =>
  fc.assert(
    fc.property(rules, rules, rules, (deny, ask, allow) => {
      const text = JSON.stringify({ permissions: { deny, ask, allow } }, null, 1);
      const imported = CLIENT_IMPORTS["claude-code"](text);
      expect(imported.carried.length + imported.notCarried.length).toBe(deny.length + ask.length + allow.length);
      expect(readPolicy(imported.policyYaml).problems).toEqual([]);
      for (const { line } of [...imported.carried, ...imported.notCarried])
        expect(text.split("\n")[line - 1]?.trim()).toMatch(/^"/);
      for (const reason of imported.notCarried) expect(reason.reason).toMatch(/\.$/);
    }),
    { numRuns: 60 },
  ));

const anyHook = fc.record(
  {
    type: fc.constantFrom("command", "http", "prompt", "constructor", 7),
    command: fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), fc.integer()),
    bash: fc.string({ maxLength: 20 }),
    args: fc.array(fc.string({ maxLength: 5 })),
    timeout: fc.oneof(fc.double(), fc.string()),
    matcher: fc.string({ maxLength: 12 }),
    async: fc.boolean(),
    cwd: fc.string({ maxLength: 10 }),
  },
  { requiredKeys: [] },
);
const EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "Stop",
  "preToolUse",
  "beforeShellExecution",
  "SessionStart",
  "constructor",
  "__proto__",
];

it("every hook is carried or named for every client, and the policy can be read", () =>
  fc.assert(
    fc.property(
      fc.constantFrom(...TRANSLATED),
      fc.constantFrom(...EVENTS),
      fc.string({ maxLength: 12 }),
      fc.array(anyHook, { minLength: 1, maxLength: 4 }),
      (client, event, matcher, hooks) => {
        const text = `{"hooks":{${JSON.stringify(event)}:[${JSON.stringify({ matcher, hooks })}]}}`;
        const imported = CLIENT_IMPORTS[client](text);
        expect(imported.carried.length + imported.notCarried.length).toBe(hooks.length);
        expect(readPolicy(imported.policyYaml).problems).toEqual([]);
      },
    ),
    { numRuns: 80 },
  ));

it("no text does more than be refused in a sentence", () =>
  fc.assert(
    fc.property(
      fc.constantFrom(...IMPORTED_CLIENT_NAMES),
      fc.oneof(fc.json(), fc.string({ unit: "binary" })),
      (client, text) => {
        try {
          CLIENT_IMPORTS[client](text);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      },
    ),
    { numRuns: 200 },
  ));
