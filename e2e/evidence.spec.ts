import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Download } from "@playwright/test";
import { unzipSync } from "fflate";
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
  await unpack(await downloaded, folder);
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
  const covers = ["--cover", "cover.html", "--cover", "cover.pdf"];
  const covered = await run("node", [program, "--trust", signer?.id ?? "", ...covers, file], alone);
  expect(covered.stdout).toContain("cover.html belongs to this file and is as the console made it.");
  expect(covered.stdout).toContain("cover.pdf belongs to this file and is as the console made it.");
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

test("the cover is read offline: who, what, rule text, reason and proof, on a phone too", async ({
  page,
  api,
  context,
}) => {
  const agent = fresh("reader");
  const word = fresh("melt").replaceAll(" ", "-");
  const hook = `{name: stop, type: command, command: 'if grep -q ${word}; then echo "<b>${word}</b> is not allowed." >&2; exit 2; fi'}`;
  const source = `hooks:\n  pre_tool_use:\n    - matcher: shell\n      hooks:\n        - ${hook}\n`;
  const policy = fresh("cover");
  await api.mutate("policies.publishByName", { name: policy, source, note: "" });
  const key = await api.key(agent);
  for (const cmd of [`${word} /srv`, `${word} /opt`])
    await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: agent, tool_name: "shell", tool_use_id: cmd, tool_input: { cmd } }),
    });
  const decisions = new DecisionsPage(page);
  await decisions.open(`?q=${encodeURIComponent(`agent:"${agent}"`)}`);
  await decisions.rows(`${word} /opt`).click();
  const downloaded = page.waitForEvent("download");
  await page.getByRole("button", { name: "Evidence for this call" }).click();
  const folder = await mkdtemp("/tmp/quarterdeck-cover-");
  await unpack(await downloaded, folder);
  const cover = await context.newPage();
  await context.setOffline(true);
  await cover.setViewportSize({ width: 390, height: 800 });
  await cover.goto(`file://${join(folder, "cover.html")}`);
  await expect(cover.getByRole("heading", { name: "Evidence of 1 call" })).toBeVisible();
  await expect(cover.getByText(`<b>${word}</b> is not allowed.`).first()).toBeVisible();
  await expect(cover.getByRole("heading", { name: `Rule text: ${policy}, revision 1` })).toBeVisible();
  await expect(cover.getByText(`${word} /srv`)).toHaveCount(0);
  await expect(cover.getByText("Hash at the end").first()).toBeVisible();
  expect(await cover.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await expectAccessible(cover);
  await context.setOffline(false);
  await rm(folder, { recursive: true });
});

test("an auditor gets a statement for a period, and sees the batches that the record collapses", async ({
  page,
  api,
}) => {
  const key = await api.key(fresh("recorded"));
  for (const id of ["one", "two"])
    await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_use_id: id, tool_input: { cmd: "ls" } }),
    });
  await page.goto("/audit");
  const batches = page.getByRole("button", { name: /of dispatches, entr/ }).first();
  await expect(batches).toBeVisible();
  await batches.click();
  await expect(page.getByText(/recorded \d+ dispatch/i).first()).toBeVisible();
  await page.goto("/audit/evidence");
  const today = new Date().toISOString().slice(0, 10);
  await page.getByLabel("First day").fill(today);
  await page.getByLabel("Last day").fill(today);
  await page.getByRole("button", { name: "Make statement" }).click();
  const download = page.getByRole("button", { name: `Download the audit statement for ${today} to ${today}` });
  await expect(download).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
  const downloaded = page.waitForEvent("download");
  await download.click();
  const folder = await mkdtemp("/tmp/quarterdeck-statement-");
  await unpack(await downloaded, folder);
  const stated = JSON.parse(await readFile(join(folder, "statement.json"), "utf8"));
  expect(stated).toMatchObject({
    type: "quarterdeck-statement",
    period: { first: today, last: today },
    altered: expect.any(Array),
  });
  const program = join(folder, "quarterdeck-verify.mjs");
  await writeFile(program, await (await fetch(`${api.url}/quarterdeck-verify.mjs`)).text());
  const [signer] = await api.query("audit.keys");
  const args = [program, "--trust", signer?.id ?? "", "--cover", "cover.pdf", "statement.json"];
  const verified = await run("node", args, { cwd: folder }).catch((error: { stdout: string }) => error);
  expect(verified.stdout).toContain("cover.pdf belongs to this file and is as the console made it.");
  await rm(folder, { recursive: true });
});

/** Writes the files of a downloaded archive into a folder. */
async function unpack(download: Download, folder: string): Promise<void> {
  const archive = join(folder, "downloaded.zip");
  await download.saveAs(archive);
  for (const [name, bytes] of Object.entries(unzipSync(new Uint8Array(await readFile(archive)))))
    await writeFile(join(folder, name), bytes);
}
