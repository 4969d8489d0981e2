/** An exported rules hook as docker-agent runs it: its command line, with the built single file in the user's home. */
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { everyHook, nativeHooks } from "@quarterdeck/hooks/contract/config";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LocalExecutor, localExecutor } from "../../e2e/fixtures/local-executor.ts";
import { readPolicy } from "../policies/text/source.ts";

const BUILT = fileURLToPath(new URL("../../dist/quarterdeck-hook.mjs", import.meta.url));
const POLICY = `profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: "*"
      preempt_yolo: true
      hooks:
        - type: rules
          rules:
            - deny: It's "kept", for $5.
              command: { program: rm, flags: [recursive] }
            - ask: Who reads it?
              path: { class: credentials }
`;

let local: LocalExecutor;
let home: string;
let file: string;
beforeAll(async () => {
  local = await localExecutor({});
  home = join(local.repository, "..", "home");
  file = join(home, ".quarterdeck", "quarterdeck-hook.mjs");
  await mkdir(join(home, ".quarterdeck"), { recursive: true });
}, 120_000);
afterAll(() => local?.remove());

async function exported() {
  const { hooks } = readPolicy(POLICY);
  const [placed] = everyHook(nativeHooks(hooks ?? {}));
  if (!placed?.hook.command) throw new Error("the hook is exported as a command");
  return { command: placed.hook.command, env: { ...placed.hook.env, HOME: home } };
}

async function answerTo(tool_name: string, tool_input: object) {
  const { command, env } = await exported();
  return local.shell(command, { session_id: "s", cwd: local.repository, tool_name, tool_input }, env);
}

it.each([
  ["shell", { cmd: "sudo /bin/rm -fr build" }, "deny", `It's "kept", for $5.`],
  ["Bash", { command: "sh -c 'rm --recursive x'" }, "deny", `It's "kept", for $5.`],
  ["Read", { file_path: "/home/me/.ssh/id_ed25519" }, "ask", "Who reads it?"],
])("%s with %j: %s", async (tool, input, decision, reason) => {
  await copyFile(BUILT, file);
  const { code, stdout } = await answerTo(tool, input);
  expect([code, JSON.parse(stdout).hook_specific_output]).toMatchObject([
    0,
    { permission_decision: decision, permission_decision_reason: reason },
  ]);
});

it("a call that no rule concerns passes without a verdict", async () => {
  await copyFile(BUILT, file);
  const { code, stdout } = await answerTo("shell", { cmd: "ls -la" });
  expect([code, JSON.parse(stdout)]).toEqual([0, {}]);
});

it.each([
  ["missing", () => rm(file, { force: true })],
  ["empty", () => writeFile(file, "")],
  ["cut", () => writeFile(file, "#!/usr/bin/env node\nimport {")],
])("where the program is %s, the call is blocked", async (_state, change) => {
  await change();
  expect(await answerTo("shell", { cmd: "ls" })).toMatchObject({ code: 2 });
});
