/** A large answer is cut here, after the console took secrets out of it: neither the end nor the file has them. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HooksConfig, PROFILES, type Profile } from "@quarterdeck/hooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dispatchLocally } from "./dispatch.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "limiter-test-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const limiter = { matcher: "*", hooks: [{ type: "builtin", command: "limit_large_tool_results" }] };
const redactor = { matcher: "*", hooks: [{ type: "builtin", command: "redact_secrets", run_on: "server" as const }] };
const text = `hunter2\n${"x".repeat(60_000)}\nhunter2\n`;

async function dispatch(hooks: HooksConfig, profile: Profile) {
  const input = { session_id: "limiter-test", tool_name: "shell", tool_category: "shell", tool_response: text };
  const asked: string[] = [];
  const { answer } = await dispatchLocally({
    policy: { version: 2, agent: "a", revision: "r", profile, sources: [{ policy: "p", revision: 1, hooks }] },
    flags: [],
    event: "tool_response_transform",
    lane: "default",
    input,
    text: JSON.stringify(input),
    env: { PATH: process.env.PATH ?? "", HOME: dir },
    workingDir: dir,
    dir,
    signal: new AbortController().signal,
    isTold: false,
    ask: async (sent) => {
      asked.push(sent);
      const updated_tool_response = String(JSON.parse(sent).tool_response).replaceAll("hunter2", "[REDACTED]");
      return JSON.stringify({ hook_specific_output: { updated_tool_response } });
    },
  });
  return { said: answer.hook_specific_output?.updated_tool_response ?? "", asked };
}

it.each(PROFILES)("wherever the two stand in the policy (%s)", async (profile) => {
  for (const entries of [
    [limiter, redactor],
    [redactor, limiter],
  ]) {
    const { said, asked } = await dispatch({ tool_response_transform: entries }, profile);
    expect(asked.map((one) => JSON.parse(one).tool_response)).toEqual([text]);
    expect(said).toMatch(/^Tool call result was too large/);
    expect(said).toMatch(/\n\[REDACTED\]\n$/);
    const path = /available in a file: (.+)\n/.exec(said)?.[1] ?? "";
    const file = await readFile(path, "utf8");
    await rm(path);
    expect(file).toBe(text.replaceAll("hunter2", "[REDACTED]"));
  }
});
