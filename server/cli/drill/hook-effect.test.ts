/** Per client, the effect of each way in which a hook can end: the table of failures of the clients, cell by cell. */
import { expect, test } from "vitest";
import type { ClientName } from "../../dialects/schema.ts";
import { isBlocked } from "./hook-effect.ts";
import type { HookRun } from "./run-hook.ts";

const exited = (code: number, stdout = "", stderr = ""): HookRun => ({ kind: "exited", code, stdout, stderr });
const answered = (status: number, body = ""): HookRun => ({ kind: "answered", status, body });

const CLAUDE_DENY =
  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}';
const DENIALS: Partial<Record<ClientName, string>> = {
  "claude-code": CLAUDE_DENY,
  codex: CLAUDE_DENY,
  qwen: CLAUDE_DENY,
  copilot: CLAUDE_DENY,
  gemini: '{"decision":"deny","reason":"no"}',
  cursor: '{"permission":"deny"}',
  cline: '{"cancel":true,"errorMessage":"no"}',
  "docker-agent": '{"hook_specific_output":{"permission_decision":"deny"}}',
};
const EVENTS: Partial<Record<ClientName, string>> = {
  cursor: "preToolUse",
  gemini: "BeforeTool",
  "docker-agent": "pre_tool_use",
};

const blocked = (client: ClientName, run: HookRun, blocksOnFailure = false, event = EVENTS[client] ?? "PreToolUse") =>
  isBlocked(client, run, { hook: { event, blocksOnFailure }, payload: { tool_input: {} } });

test.each(Object.entries(DENIALS) as [ClientName, string][])("%s follows a denial and no objection", (client, body) => {
  expect(blocked(client, exited(0, body))).toBe(true);
  expect(blocked(client, exited(0, "{}"))).toBe(false);
});

test.each<[string, HookRun, readonly ClientName[]]>([
  [
    "code 2 with words",
    exited(2, "", "no"),
    ["claude-code", "codex", "gemini", "copilot", "qwen", "cursor", "docker-agent"],
  ],
  ["code 2 in silence", exited(2), ["claude-code", "copilot", "cursor", "docker-agent"]],
  ["code 1", exited(1, "", "x"), ["copilot"]],
  ["code 22 with words", exited(22, "", "curl: (22)"), ["gemini", "copilot"]],
  ["code 22 in silence", exited(22), ["copilot"]],
  ["time that ran out", { kind: "timed_out" }, []],
  ["JSON that is cut off", exited(0, '{"decision":"de'), ["cursor"]],
])("after %s, only these clients block by themselves", (_, run, clients) => {
  const names = Object.keys(DENIALS) as ClientName[]; // names of clients
  expect(names.filter((client) => blocked(client, run)).sort()).toEqual([...clients].sort());
});

test.each<[ClientName, HookRun]>([
  ["claude-code", exited(1, "", "x")],
  ["claude-code", answered(500, "<html>")],
  ["claude-code", { kind: "failed" }],
  ["cursor", exited(1)],
  ["cursor", exited(0, "")],
  ["cursor", { kind: "timed_out" }],
  ["docker-agent", exited(1)],
  ["docker-agent", { kind: "timed_out" }],
])("%s blocks a failure where its hook says so, and not otherwise", (client, run) => {
  expect([blocked(client, run, true), blocked(client, run, false)]).toEqual([true, false]);
});

test("cut-off JSON lets Claude Code run the call, whatever the hook says", () => {
  expect(blocked("claude-code", exited(0, '{"decision":'), true)).toBe(false);
});

test("a denial with code 1 counts for Claude Code and not for Codex", () => {
  expect(blocked("claude-code", exited(1, CLAUDE_DENY))).toBe(true);
  expect(blocked("codex", exited(1, CLAUDE_DENY))).toBe(false);
});

test("one key too many voids an answer to Codex", () => {
  expect(blocked("codex", exited(0, CLAUDE_DENY.replace("{", '{"suppressOutput":true,')))).toBe(false);
});

test("over HTTP, an error blocks for Copilot, lets Qwen Code go on, and an empty answer is no objection", () => {
  expect(blocked("copilot", answered(500))).toBe(true);
  expect(blocked("copilot", { kind: "timed_out" })).toBe(false);
  expect(blocked("qwen", answered(500))).toBe(false);
  expect(blocked("claude-code", answered(200), true)).toBe(false);
  expect(blocked("claude-code", answered(200, CLAUDE_DENY))).toBe(true);
});

test("a prompt of Copilot is held by an answer alone", () => {
  expect(blocked("copilot", exited(2, "", "no"), false, "UserPromptSubmit")).toBe(false);
  expect(blocked("copilot", exited(0, '{"decision":"block"}'), false, "UserPromptSubmit")).toBe(true);
});

test("a plugin blocks by throwing", () => {
  expect([blocked("opencode", { kind: "thrown" }), blocked("opencode", { kind: "returned" })]).toEqual([true, false]);
});
