/** Whatever comes to a gate's address is answered as that gate: by both ways in, in words that deny. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { httpWay } from "../dispatches/dialect-way/index.ts";
import { commandWay } from "../local-executor/index.ts";
import type { Delivery, Way } from "./conformance.ts";
import { DIALECT_NAMES, type DialectName, dialectOf } from "./registry.ts";

const DENIAL = {
  decision: "block",
  reason: "no",
  hook_specific_output: { permission_decision: "deny", permission_decision_reason: "no" },
};
const WAYS = [httpWay, commandWay];

const vectorOf = (file: string) => JSON.parse(readFileSync(new URL(`./vectors/${file}`, import.meta.url), "utf8"));

/** A shell call as each client sends it, and its gate for such calls. */
const CALLS: readonly { client: string; dialect: DialectName; event: string; payload: Record<string, unknown> }[] = (
  [
    ["docker-agent", "docker-agent", "pre_tool_use", "docker-agent.pre_tool_use.json"],
    ["claude-code", "claude-code", "PreToolUse", "claude-code.PreToolUse.Bash.json"],
    ["codex", "codex", "PreToolUse", "codex.PreToolUse.Bash.json"],
    ["copilot in camelCase", "copilot", "preToolUse", "copilot.preToolUse.bash.json"],
    ["copilot in PascalCase", "copilot", "PreToolUse", "copilot.pascal.PreToolUse.Bash.json"],
    ["cursor", "cursor", "preToolUse", "cursor.preToolUse.Shell.json"],
    ["gemini", "gemini", "BeforeTool", "gemini.BeforeTool.run_shell_command.json"],
    ["qwen", "qwen", "PreToolUse", "qwen.PreToolUse.run_shell_command.json"],
    ["cline", "cline", "PreToolUse", "cline.PreToolUse.run_commands.json"],
    ["opencode", "opencode", "pre_tool_use", "opencode.shim.pre_tool_use.http.json"],
  ] as const
).map(([client, dialect, event, file]) => ({ client, dialect, event, payload: vectorOf(file).payload }));

/** True if a policy that denies every tool by a name that it knows does not hold the call. */
async function isLetThrough(way: Way, delivery: Omit<Delivery, "output" | "interactive">): Promise<boolean> {
  const { body, input } = await way.deliver({ ...delivery, output: DENIAL, interactive: false });
  if (Object.keys(body).length === 0) return true;
  const isJudged = input.hook_event_name !== null && "hook_event_name" in input;
  return isJudged && CALL_EVENTS.has(String(input.hook_event_name)) && !input.tool_name;
}
const CALL_EVENTS = new Set(["pre_tool_use", "permission_request", "tool_guard"]);

for (const way of WAYS)
  describe(`${way.name}: a gate's address`, () => {
    it("lets no call of another client through: 90 pairs", async () => {
      const through: string[] = [];
      let pairs = 0;
      for (const to of CALLS)
        for (const from of CALLS) {
          const isLetBy = await isLetThrough(way, { dialect: to.dialect, event: to.event, payload: from.payload });
          if (isLetBy) through.push(`${from.client} at ${to.client}`);
          if (from !== to) pairs += 1;
        }
      expect({ pairs, letThrough: through.length, through }).toEqual({ pairs: 90, letThrough: 0, through: [] });
    });

    it("lets no event of another name through, nor one of another letter case, of another type or of a weaker kind", async () => {
      const through: string[] = [];
      for (const { dialect, event, payload, client } of CALLS) {
        const field = "hookName" in payload ? "hookName" : "hook_event_name";
        const named = [
          ...[
            "PRETOOLUSE",
            "pretooluse",
            "Pre_Tool_Use",
            "pre-tool-use",
            "PreToolUse ",
            "Pre\u0000ToolUse",
            "PreToolU\u017fe",
          ],
          ...[
            "PostToolUse",
            "postToolUse",
            "post_tool_use",
            "AfterTool",
            "tool_result",
            "Notification",
            "notification",
          ],
          ...[
            "Stop",
            "stop",
            "SessionStart",
            "sessionStart",
            "session_start",
            "agent_end",
            "UserPromptSubmit",
            "x",
            "",
          ],
          ...["constructor", "__proto__", "PostToolBatch", "CwdChanged", "MessageDisplay"],
          ...[5, null, true, ["PreToolUse"], { name: "PreToolUse" }],
        ];
        for (const name of named) {
          const sent = { ...payload, [field]: name };
          if (await isLetThrough(way, { dialect, event, payload: sent }))
            through.push(`${client}: ${JSON.stringify(name)}`);
        }
      }
      expect(through).toEqual([]);
    });

    it("lets no body through that says nothing of a call, whatever the gate", async () => {
      const through: string[] = [];
      for (const dialect of DIALECT_NAMES)
        for (const [event, { native, deny }] of Object.entries(dialectOf(dialect).capabilities.events)) {
          if (deny !== "held" || native === null) continue;
          for (const payload of [
            { hook_event_name: "x", hookName: "x" },
            { hook_event_name: "Stop", hookName: "agent_end" },
          ])
            if (await isLetThrough(way, { dialect, event, payload })) through.push(`${dialect}/${event}`);
          if (CALL_EVENTS.has(native))
            if (await isLetThrough(way, { dialect, event, payload: {} })) through.push(`${dialect}/${event}: {}`);
        }
      expect(through).toEqual([]);
    });

    it("answers in the words of its client, with a reason that says what to do", async () => {
      const payload = { ...vectorOf("gemini.BeforeTool.run_shell_command.json").payload };
      const { timestamp: _time, ...undated } = payload;
      const { body } = await way.deliver({
        ...{ dialect: "claude-code", event: "PreToolUse", payload: undated, output: {}, interactive: false },
      });
      expect(body).toEqual({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: expect.stringContaining("Enrol the client again"),
        },
      });
    });

    it("lets no call through at an address whose event its client does not have", async () => {
      const through: string[] = [];
      for (const { dialect, payload, client } of CALLS) {
        const { hook_event_name: _name, hookName: _hook, ...unnamed } = payload;
        const renamed = { ...payload, hook_event_name: "PreToolUses", hookName: "PreToolUses" };
        for (const sent of [unnamed, renamed])
          for (const event of ["PreToolUses", "Nope", "constructor", "beforeShellExecutio"])
            if (await isLetThrough(way, { dialect, event, payload: sent })) through.push(`${client} at ${event}`);
      }
      expect(through).toEqual([]);
    });

    it("leaves a result, and what names no tool, alone at such an address", async () => {
      for (const more of [{ tool_name: "Bash", tool_input: {}, tool_response: "done" }, { message: "m" }]) {
        const payload = { session_id: "s", ...more };
        const delivery = { dialect: "claude-code", event: "TheNextVersionsEvent", payload } as const;
        expect((await way.deliver({ ...delivery, output: DENIAL, interactive: false })).body).toEqual({});
      }
    });

    it("leaves events without a native one alone at addresses of their own", async () => {
      for (const event of ["CwdChanged", "PostToolBatch", "MessageDisplay"]) {
        const payload = { session_id: "s", hook_event_name: event };
        const { body } = await way.deliver({
          dialect: "claude-code",
          event,
          payload,
          output: DENIAL,
          interactive: false,
        });
        expect(body, event).toEqual({});
      }
      const { payload } = vectorOf("qwen.UserPromptSubmit.empty.json");
      const delivery = {
        dialect: "qwen",
        event: "UserPromptSubmit",
        payload,
        output: DENIAL,
        interactive: false,
      } as const;
      expect((await way.deliver(delivery)).body).toEqual({});
    });
  });

it("has vectors of every client", () => {
  expect(readdirSync(new URL("./vectors", import.meta.url)).length).toBeGreaterThan(200);
});
