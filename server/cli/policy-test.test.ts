/** `policy test` as a CI job runs it: its own process, files alone. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { quarterdeck } from "../../e2e/fixtures/command-line.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - name: no deletes
          type: command
          command: |
            if grep -q 'rm -rf'; then echo "No recursive deletes." >&2; exit 2; fi
        - { name: judge, type: model, model: openai/gpt-4o-mini, prompt: hm, schema: pre_tool_use_decision }
`;
const CASES = `cases:
  - name: deletes are denied
    event: pre_tool_use
    input: { tool_name: shell, tool_input: { cmd: rm -rf / } }
    judge_replies: [{ hook: judge, reply: { decision: allow } }]
    expect: { verdict: deny, message: recursive }
  - name: listing is allowed
    event: pre_tool_use
    input: { tool_name: shell, tool_input: { cmd: ls } }
    judge_replies: [{ hook: judge, reply: { decision: allow, reason: harmless } }]
    expect: { verdict: allow, hooks: { judge: allow } }
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quarterdeck-policy-test-"));
  await writeFile(join(folder, "policy.yaml"), POLICY);
  await writeFile(join(folder, "cases.yaml"), CASES);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

// No server answers here: whoever asks for one fails.
const NOWHERE = { QUARTERDECK_URL: "http://127.0.0.1:9", QUARTERDECK_TOKEN: "qda_none" };
const run = (...args: readonly string[]) => quarterdeck(["policy", "test", ...args], folder, NOWHERE);

describe("policy test on files", () => {
  test("passes without a server when every case holds", async () => {
    const { code, stdout, stderr } = await run("policy.yaml", "--cases", "cases.yaml", "--json");
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout).cases).toMatchObject([
      { name: "deletes are denied", passed: true, verdict: "deny" },
      { name: "listing is allowed", passed: true, verdict: "allow" },
    ]);
  });

  test("ends in 1 when a case fails, says how, and writes it for CI", async () => {
    await writeFile(join(folder, "loose.yaml"), POLICY.replace("exit 2", "exit 0"));
    const { code, stdout } = await run("loose.yaml", "--cases", "cases.yaml", "--junit", "report.xml");
    expect(code).toBe(1);
    expect(stdout).toContain("FAIL  deletes are denied");
    expect(stdout).toContain("verdict: expected deny, got allow.");
    expect(stdout).toContain("loose.yaml: 1 passed, 1 failed");
    expect(await readFile(join(folder, "report.xml"), "utf8")).toContain('failures="1"');
  });

  test.each([
    ["no cases", ["policy.yaml"], "--cases"],
    ["nothing at all", [], "Say what to test"],
    ["a file that is not there", ["policy.yaml", "--cases", "nowhere.yaml"], "nowhere.yaml cannot be read"],
    ["cases that are none", ["policy.yaml", "--cases", "policy.yaml"], "unknown key"],
    ["a policy that is none", ["cases.yaml", "--cases", "cases.yaml"], "The policy has errors."],
    [
      "a report where none can be",
      ["policy.yaml", "--cases", "cases.yaml", "--junit", "no/such/x.xml"],
      "could not be written",
    ],
  ])("ends in 2 for %s", async (_what, args, says) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(says);
  });

  test("a server that is away is one sentence and exit 1", async () => {
    const { code, stderr } = await run("--policy", "anything");
    expect(code).toBe(1);
    expect(stderr).toContain("No server answers");
  });
});
