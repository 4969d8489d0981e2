import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enrolClaudeCode } from "./claude-code/enrol.ts";
import { enrolCodex } from "./codex/enrol.ts";
import { type EnrolmentFile, enrolmentOptions } from "./enrolment.ts";
import { enrolGemini } from "./gemini/enrol.ts";

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
            command: `curl -sS -f --connect-timeout 5 -m 110 -H "@/etc/quarterdeck/header" -H 'Content-Type: application/json' -H 'Quarterdeck-Wait-Seconds: 105' --data-binary @- ${URL}/api/v1/hooks/claude-code/PreToolUse || { echo 'quarterdeck: no verdict, blocked' >&2; exit 2; }`,
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
    expect(commands.SessionEnd).toContain("-m 2 ");
    expect(commands.UserPromptSubmit).toContain("-m 8 ");
  });

  it("count in milliseconds for Gemini CLI", () => {
    const [file] = enrolGemini({ url: URL, scope: "project" });
    expect(file?.path).toBe(".gemini/settings.json");
    const settings = JSON.parse(file?.content ?? "");
    expect(settings.hooksConfig).toEqual({ enabled: true });
    expect(settings.hooks.BeforeTool[0].hooks[0].timeout).toBe(120_000);
  });

  it("leave people time on tool calls, less than the command has, which has less than the client", () => {
    const settings = JSON.parse(enrolClaudeCode(managed)[0]?.content ?? "");
    for (const [event, [{ hooks }]] of Object.entries<[{ hooks: { command: string; timeout: number }[] }]>(
      settings.hooks,
    )) {
      const { command = "", timeout = 0 } = hooks[0] ?? {};
      const relaySeconds = Number(/ -m (\d+) /.exec(command)?.[1]);
      const waitSeconds = Number(/Quarterdeck-Wait-Seconds: (\d+)'/.exec(command)?.[1] ?? 0);
      const isToolGate = event === "PreToolUse" || event === "PermissionRequest";
      expect([event, waitSeconds > 0]).toEqual([event, isToolGate]);
      expect(timeout).toBeGreaterThanOrEqual(relaySeconds + (isToolGate ? 5 : 2));
      expect(relaySeconds).toBeGreaterThanOrEqual(waitSeconds + 2);
    }
  });

  it("hold the key in a file of its own that only its owner reads", () => {
    const files = enrolGemini({ url: URL, scope: "user", key: "qd_example" });
    expect(files.at(-1)).toEqual({
      path: "~/.config/quarterdeck/header",
      mode: 0o600,
      content: "Authorization: Bearer qd_example\n",
      isSecret: true,
    });
    expect(files[0]?.content).not.toContain("qd_example");
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

describe("the commands of an enrolment", () => {
  let home: string;
  let server: Server;
  let url: string;
  const headers: (string | undefined)[] = [];

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "enrol-"));
    server = createServer((request, response) => {
      headers.push(request.headers.authorization);
      const isDown = request.headers.authorization === "Bearer down";
      request.resume().on("end", () => response.writeHead(isDown ? 500 : 200).end(isDown ? "<html>" : '{"answer":1}'));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await rm(home, { recursive: true });
  });

  async function run(command: string | undefined, key: string) {
    const file = enrolGemini({ url: URL, scope: "user", key }).at(-1);
    const path = (file?.path ?? "").replace("~", home);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file?.content ?? "", { mode: file?.mode });
    return execa("sh", ["-c", command ?? ""], { input: "{}", env: { HOME: home }, reject: false });
  }

  it("print the answer, and send the key of the header file", async () => {
    const { stdout, exitCode } = await run(
      commandsIn(enrolClaudeCode({ url, scope: "user" })).PreToolUse,
      "qd_example",
    );
    expect({ stdout, exitCode }).toEqual({ stdout: '{"answer":1}', exitCode: 0 });
    expect(headers.at(-1)).toBe("Bearer qd_example");
  });

  it("block with words when the gateway answers an error or nobody listens", async () => {
    const listening = commandsIn(enrolGemini({ url, scope: "user" })).BeforeTool;
    const silent = commandsIn(enrolGemini({ url: "http://127.0.0.1:1", scope: "user" })).BeforeTool;
    for (const result of [await run(listening, "down"), await run(silent, "down")]) {
      expect(result.exitCode).toBe(2);
      expect(result.stderr).toContain("quarterdeck: no verdict, blocked");
      expect(result.stdout).toBe("");
    }
  });

  it("print a denial where exit codes do nothing", async () => {
    const { stdout, exitCode } = await run(commandsIn(enrolCodex({ url, scope: "user" })).PermissionRequest, "down");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).hookSpecificOutput.decision.behavior).toBe("deny");
  });

  it("never fail a hook that only reports", async () => {
    const { stdout, exitCode } = await run(commandsIn(enrolCodex({ url, scope: "user" })).PostToolUse, "down");
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 0 });
  });
});
