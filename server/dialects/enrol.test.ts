import { describe, expect, it } from "vitest";
import { AGENT_KEY, ANSWER_KEY, BEARER } from "../../e2e/fixtures/fake-console.ts";
import { enrolClaudeCode } from "./claude-code/enrol.ts";
import { enrolCodex } from "./codex/enrol.ts";
import { type EnrolmentFile, enrolmentOptions } from "./enrolment.ts";
import { enrolGemini } from "./gemini/enrol.ts";
import { enrolQwen } from "./qwen/enrol.ts";

const URL = "https://quarterdeck.example.com";
const managed = { url: URL, scope: "managed" } as const;

/** The commands in a JSON file of hooks, by event. */
function commandsIn(files: readonly EnrolmentFile[]): Record<string, string> {
  const { hooks } = JSON.parse(files[0]?.content ?? "") as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  return Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => [event, groups[0]?.hooks[0]?.command ?? ""]),
  );
}

describe("files of an enrolment", () => {
  it("are the managed settings of Claude Code, in which only managed hooks run", () => {
    const [file] = enrolClaudeCode(managed);
    expect(file?.path).toBe("/etc/claude-code/managed-settings.json");
    const settings = JSON.parse(file?.content ?? "");
    expect(settings.allowManagedHooksOnly).toBe(true);
    expect(settings.hooks.PreToolUse).toEqual([
      {
        hooks: [
          {
            type: "command",
            timeout: 120,
            command: `unset -f printf echo 2>/dev/null; [ -f "/etc/quarterdeck/relay" ] && out=$(/bin/sh "/etc/quarterdeck/relay" ${URL}/api/v1/hooks/claude-code/PreToolUse exit 110 105) && case $out in "{"*"}") printf %s "$out";; *) ! :;; esac || { echo 'quarterdeck: no verdict, blocked' >&2; exit 2; }`,
          },
        ],
      },
    ]);
    expect(settings.hooks).not.toHaveProperty("WorktreeCreate");
  });

  it("are the requirements of Codex, with hooks that no flag switches off", () => {
    const [file] = enrolCodex(managed);
    expect(file?.path).toBe("/etc/codex/requirements.toml");
    expect(file?.content).toContain("allow_managed_hooks_only = true\n\n[features]\nhooks = true\n");
    expect(file?.content).toContain(
      '[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ntimeout = 120\n',
    );
    expect(file?.content).not.toContain('type = "http"');
  });

  it("keep below the time-outs that Codex clamps", () => {
    const commands = commandsIn(enrolCodex({ url: URL, scope: "user" }));
    expect(commands.SessionEnd).toContain(" ignore 2 0 ");
    expect(commands.UserPromptSubmit).toContain(" exit 8 0)");
  });

  it("count in milliseconds for Gemini CLI", () => {
    const [file] = enrolGemini({ url: URL, scope: "project" });
    expect(file?.path).toBe(".gemini/settings.json");
    const settings = JSON.parse(file?.content ?? "");
    expect(settings.hooksConfig).toEqual({ enabled: true });
    expect(settings.hooks.BeforeTool[0].hooks[0].timeout).toBe(120_000);
  });

  it("count in milliseconds for Qwen Code, whose older versions would take seconds for milliseconds and run the call", () => {
    const [file] = enrolQwen({ url: URL, scope: "user" });
    const { hooks } = JSON.parse(file?.content ?? "");
    expect(hooks.PreToolUse[0].hooks[0].timeout).toBe(60_000);
    expect(hooks.Stop[0].hooks[0].timeout).toBe(10_000);
  });

  it("leave people time on tool calls, less than the command has, which has less than the client", () => {
    const settings = JSON.parse(enrolClaudeCode(managed)[0]?.content ?? "");
    for (const [event, [{ hooks }]] of Object.entries<[{ hooks: { command: string; timeout: number }[] }]>(
      settings.hooks,
    )) {
      const { command = "", timeout = 0 } = hooks[0] ?? {};
      const relaySeconds = Number(/ [a-z]+ (\d+) \d+\b/.exec(command)?.[1]);
      const waitSeconds = Number(/ [a-z]+ \d+ (\d+)\b/.exec(command)?.[1]);
      const isToolGate = event === "PreToolUse" || event === "PermissionRequest";
      expect([event, waitSeconds > 0]).toEqual([event, isToolGate]);
      expect(timeout).toBeGreaterThanOrEqual(relaySeconds + (isToolGate ? 5 : 2));
      expect(relaySeconds).toBeGreaterThanOrEqual(waitSeconds + 2);
    }
  });

  it("hold the parts of the key in files of their own that only their owner reads", () => {
    const files = enrolGemini({ url: URL, scope: "user", key: AGENT_KEY });
    expect(files.at(-2)).toEqual({
      path: "~/.config/quarterdeck/answer-key",
      mode: 0o600,
      content: `${ANSWER_KEY}\n`,
      isSecret: true,
    });
    expect(files.at(-1)).toEqual({
      path: "~/.config/quarterdeck/header",
      mode: 0o600,
      content: `Authorization: Bearer ${BEARER}\n`,
      isSecret: true,
    });
    expect(files[0]?.content).not.toContain(BEARER);
  });

  it.each([
    "https://quarterdeck.example.com/'; rm -rf ~; '",
    "https://quarterdeck.example.com/$(id)",
    'https://quarterdeck.example.com/"',
    "https://user:secret@quarterdeck.example.com",
    "file:///etc/passwd",
    "https://quarterdeck.example.com/\n",
    "https://quarterdeck.example.com/",
  ])("are refused for the address %j", (url) => {
    expect(enrolmentOptions.safeParse({ url, scope: "user" }).success).toBe(false);
  });

  it("are refused for a key that a header cannot hold", () => {
    expect(enrolmentOptions.safeParse({ ...managed, key: "qd_x\nX-Other: 1" }).success).toBe(false);
  });
});
