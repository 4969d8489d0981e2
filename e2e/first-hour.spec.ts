/** From the sign-in link to the first denial of an enrolled Claude Code: few clicks, one paste. */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Page, test as plain } from "@playwright/test";
import { execa } from "execa";
import { z } from "zod";
import { bundle } from "../scripts/bundle.mjs";
import { expect, expectAccessible, fresh, patient, test } from "./fixtures/console.ts";
import { ownServer } from "./fixtures/own-server.ts";

const CLICKS_MAX = 6;

const settings = z.looseObject({
  hooks: z.looseObject({
    PreToolUse: z.array(z.looseObject({ hooks: z.array(z.looseObject({ command: z.string() })).min(1) })).min(1),
  }),
});

const cursorHooks = z.looseObject({
  hooks: z.looseObject({ preToolUse: z.array(z.looseObject({ command: z.string() })).min(1) }),
});

/** Counts the clicks that the page itself receives, whoever makes them. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeBinding("countClick", () => {
    clicks += 1;
  });
  await page.addInitScript("addEventListener('click', (event) => event.isTrusted && countClick(), true)");
  return () => clicks;
}

/** Runs a hook's command as its client does, and returns its exit code and output. */
async function runHook(home: string, command: string, payload: object): Promise<string> {
  const env = { HOME: home, QUARTERDECK_KEY: "" };
  const ran = await execa("/bin/sh", ["-c", command], {
    env,
    cwd: home,
    input: JSON.stringify(payload),
    reject: false,
  });
  return `${ran.exitCode} ${ran.stdout} ${ran.stderr}`;
}

/** Asks as Claude Code does before it runs a shell command: with its own settings and nothing else. */
async function askClaudeCode(home: string, command: string): Promise<string> {
  const text = await readFile(join(home, ".claude/settings.json"), "utf8");
  const hook = settings.parse(JSON.parse(text)).hooks.PreToolUse[0]?.hooks[0]?.command ?? "";
  return runHook(home, hook, {
    ...{ session_id: "0a6f2f0e-8d0b-4d3a-9b3e-6f3a2d5c1b7e", transcript_path: join(home, "t.jsonl"), cwd: home },
    ...{ hook_event_name: "PreToolUse", permission_mode: "default", tool_name: "Bash", tool_use_id: "toolu_1" },
    tool_input: { command, description: "Clear the folder" },
  });
}

/** The same as Cursor does. */
async function askCursor(home: string, command: string): Promise<string> {
  const text = await readFile(join(home, ".cursor/hooks.json"), "utf8");
  const hook = cursorHooks.parse(JSON.parse(text)).hooks.preToolUse[0]?.command ?? "";
  return runHook(home, hook, {
    ...{ conversation_id: "7c1d", generation_id: "g1", hook_event_name: "preToolUse", cursor_version: "3.8.11" },
    ...{
      workspace_roots: [home],
      tool_name: "Shell",
      tool_use_id: "c1",
      tool_input: { command, cwd: home },
      cwd: home,
    },
  });
}

plain("a first denial takes one paste and at most six clicks after the sign-in link", async ({ page, context }) => {
  plain.setTimeout(240_000);
  await bundle();
  const home = await mkdtemp(join(tmpdir(), "quarterdeck-first-hour-"));
  const server = await ownServer();
  try {
    await server.start();
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
    const clicks = await countClicks(patient(page));
    await page.goto((await server.quarterdeck(["sign-in"])).trim());
    await page.getByRole("button", { name: "Not now" }).click();
    await expect(page.getByText("0 of 8 done")).toBeVisible();
    await expectAccessible(page);

    await page.getByRole("link", { name: "Connect an agent" }).click();
    await page.getByRole("button", { name: "Claude Code" }).click();
    await page.getByRole("button", { name: "Copy the command" }).click();
    await expect(page.getByText("Waiting for the machine to join…")).toBeVisible();
    await expectAccessible(page);
    const line = await page.evaluate(() => navigator.clipboard.readText());
    expect(line).not.toContain("\n");

    await mkdir(join(home, "work"));
    const env = { HOME: home, QUARTERDECK_KEY: "", QUARTERDECK_URL: "" };
    const pasted = await execa("/bin/sh", ["-c", line], { env, cwd: join(home, "work"), reject: false });
    expect(pasted, pasted.stderr).toMatchObject({ exitCode: 0 });
    await expect(page.getByText("3 of 3 known-bad calls blocked")).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: "Run one command" })).toContainText("Claude Code");
    // Before a policy, the same call passes.
    expect(await askClaudeCode(home, "rm -rf ~/")).not.toContain("deny");

    await page.getByRole("button", { name: "Put Catastrophe only in force for claude-code" }).click();
    await expect(page.getByText("claude-code is connected.")).toBeVisible();
    await expectAccessible(page);
    expect(await askClaudeCode(home, "rm -rf ~/")).toContain('"permissionDecision":"deny"');
    expect(clicks()).toBeLessThanOrEqual(CLICKS_MAX);
    expect(clicks()).toBeGreaterThan(0);

    // The checklist follows, and the client is the default of the agent's own page.
    await page.goto(server.url);
    await expect(page.getByRole("region", { name: "Setup" })).toContainText("Setup: 3 of 8 done");
    await page.goto(`${server.url}/agents`);
    await page.getByRole("link", { name: "claude-code" }).first().click();
    await expect(page.getByText("Enrol Claude Code", { exact: true })).toBeVisible();
  } finally {
    await server.close();
    await rm(home, { recursive: true, force: true });
  }
});

test("a second client of the same machine joins as its own agent, and the first stays connected", async ({
  page,
  api,
}) => {
  test.setTimeout(120_000);
  await bundle();
  const home = await mkdtemp(join(tmpdir(), "quarterdeck-two-clients-"));
  const connect = async (client: string, name: string) => {
    await page.getByRole("button", { name: client, exact: true }).click();
    await page.getByLabel("Agent name").fill(name);
    const line = page.getByRole("region", { name: "Command to run" });
    await expect(line).toContainText(name);
    const env = { HOME: home, QUARTERDECK_KEY: "", QUARTERDECK_URL: "" };
    const pasted = await execa("/bin/sh", ["-c", (await line.textContent()) ?? ""], { env, cwd: home });
    expect(pasted.stdout).toContain("3 of 3 blocked");
    await expect(page.getByText("3 of 3 known-bad calls blocked")).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: "Run one command" })).toContainText(client);
    if (name === second) {
      await expect(page.getByText("The policy Catastrophe only will apply to this agent too.")).toBeVisible();
      await expect(page.getByText(/At the time of the drill, no policy denied \d of these calls/)).toBeVisible();
    }
    await page.getByRole("button", { name: `Put Catastrophe only in force for ${name}` }).click();
    await expect(page.getByText(`${name} is connected.`)).toBeVisible();
    // The drill's calls are no session.
    await expect(page.getByText("Waiting for the agent's first session…")).toBeVisible();
    const calls = new URLSearchParams({ q: `agent:"${name}"` });
    await expect(page.getByRole("link", { name: "See its calls" })).toHaveAttribute("href", `/activity?${calls}`);
    return (await page.getByRole("link", { name: "Open the agent" }).getAttribute("href"))?.split("/").at(-1) ?? "";
  };
  const [first, second] = [fresh("claude"), fresh("cursor")];
  try {
    await page.goto("/agents/connect");
    const agentId = await connect("Claude Code", first);
    await page.getByRole("button", { name: "Connect another client" }).click();
    await expect(page.getByText(`${first} is connected.`)).toBeHidden();
    await connect("Cursor", second);
    await expectAccessible(page);

    // Each asks with its own key: a halt of the first does not stop the second.
    await api.mutate("halts.halt", { target: { scope: "agent", agentId }, reason: "Looks wrong" });
    expect(await askClaudeCode(home, "ls")).toContain("Looks wrong");
    expect(await askCursor(home, "ls")).not.toContain("Looks wrong");
    expect(await askCursor(home, "rm -rf ~/")).toContain('"permission":"deny"');
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

test("the checklist is dismissed by one person, for that person", async ({ page, api }) => {
  const key = await api.key(fresh("checked"));
  const asked = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_use_id: "c", tool_input: { cmd: "ls" } }),
  });
  expect(asked.status).toBe(200);
  await expect(async () => {
    await page.goto("/");
    await expect(page.getByRole("region", { name: "Setup" })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.getByRole("button", { name: "Show all steps" }).click();
  const step = page.getByRole("listitem").filter({ hasText: "Add a second admin" });
  const invite = step.getByRole("link", { name: "Invite a person" });
  await expect(invite).toHaveAttribute("href", "/settings/people?do=invite-admin");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByRole("heading", { name: "Set up this workspace" })).toBeHidden();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: "Dismiss" })).toBeVisible();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByRole("button", { name: "Dismiss" })).toBeHidden();
  await page.reload();
  await expect(page.getByRole("region", { name: "The gate" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Setup" })).toBeHidden();
});
