import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { quarterdeck } from "./fixtures/command-line.ts";
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { DecisionsPage } from "./pages/decisions.ts";

const run = promisify(execFile);

test("decisions are exported as evidence that one file proves, with no server and nothing installed", async ({
  page,
  api,
}) => {
  const agent = fresh("witness");
  const word = fresh("shred").replaceAll(" ", "-");
  const policy = fresh("evidence");
  const hook = `{name: stop, type: command, command: 'if grep -q ${word}; then echo "${word} is not allowed." >&2; exit 2; fi'}`;
  const source = `hooks:\n  pre_tool_use:\n    - matcher: shell\n      hooks:\n        - ${hook}\n`;
  await api.mutate("policies.publishByName", { name: policy, source, note: "" });
  const key = await api.key(agent);
  for (const [id, cmd] of [
    ["one", `${word} /srv`],
    ["two", "ls"],
  ]) {
    const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: agent, tool_name: "shell", tool_use_id: id, tool_input: { cmd } }),
    });
    expect(response.status).toBe(200);
  }

  const decisions = new DecisionsPage(page);
  await decisions.open(`?q=${encodeURIComponent(`agent:"${agent}" verdict:deny`)}`);
  await expect(decisions.rows(word)).toBeVisible();
  const downloaded = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export evidence" }).click();
  const folder = await mkdtemp("/tmp/quarterdeck-evidence-");
  const file = join(folder, "evidence.jsonl");
  await (await downloaded).saveAs(file);
  await expect(page.getByText("Evidence of 1 call saved")).toBeVisible();
  await expectAccessible(page);

  const text = await readFile(file, "utf8");
  expect(text).toContain(`verdict:deny`);
  expect(text).toContain(`"type":"revision","policy":"${policy}"`);
  const program = join(folder, "quarterdeck-verify.mjs");
  await writeFile(program, await (await fetch(`${api.url}/quarterdeck-verify.mjs`)).text());
  const [signer] = await api.query("audit.keys");
  const alone = { cwd: folder, env: { PATH: process.env.PATH ?? "", NODE_ENV: "production" as const } };
  const proven = await run("node", [program, "--trust", signer?.id ?? "", file], alone);
  expect(proven.stdout).toContain("1 of 1 dispatches over 1 call are as they were recorded.");
  await writeFile(join(folder, "key.pem"), signer?.publicKey ?? "");
  const byCommandLine = await quarterdeck(["audit", "verify", "evidence.jsonl", "--key", "key.pem"], folder, {
    QUARTERDECK_URL: "http://127.0.0.1:9",
  });
  expect(byCommandLine).toMatchObject({ code: 0 });

  await writeFile(file, text.replace(`${word} /srv`, `${word} /tmp`));
  const harmed = await run("node", [program, "--trust", signer?.id ?? "", file], alone).catch(
    (error: unknown) => error,
  );
  expect(harmed).toMatchObject({ code: 1, stdout: expect.stringContaining("is not what was recorded") });
  const untrusted = await run("node", [program, file], alone).catch((error: unknown) => error);
  expect(untrusted).toMatchObject({ code: 1 });
  await rm(folder, { recursive: true });
});
