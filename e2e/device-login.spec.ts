/** A computer is logged in: the real command prints a code, and the person enters it, compares, and confirms. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { quarterdeck } from "./fixtures/command-line.ts";
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { startLogin } from "./fixtures/login-process.ts";
import { found } from "./fixtures/script.ts";
import { leftOpen } from "./pages/accounts.ts";

interface Computer {
  readonly agent: string;
  readonly home: string;
}
const homes: string[] = [];
test.afterEach(async () => {
  for (const home of homes.splice(0)) await rm(home, { recursive: true, force: true });
});

async function computer(api: Script): Promise<Computer> {
  const agent = fresh("laptop");
  const home = await mkdtemp(join(tmpdir(), "quarterdeck-login-"));
  homes.push(home);
  await mkdir(join(home, ".config/quarterdeck"), { recursive: true });
  await writeFile(join(home, ".config/quarterdeck/header"), `Authorization: Bearer ${await api.key(agent)}\n`);
  return { agent, home };
}

async function enter(page: Page, code: string): Promise<void> {
  await page.goto("/agents/login");
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
}

test("a person enters the code of their computer, and its agent works for them until they log out", async ({
  page,
  api,
}) => {
  const { agent, home } = await computer(api);
  const login = await startLogin(home, api.url);
  const code = await login.code;

  await enter(page, "BBBB-BBBB");
  await expect(page.getByText("No computer waits with this code.")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Code").fill(code.toLowerCase().replace("-", " "));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText(code, { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: agent })).toBeVisible();
  await expect(page.getByText(hostname().replace(/[^A-Za-z0-9._-]+/g, "-"))).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole("button", { name: "Log in this computer" }).click();
  await expect(page.getByRole("heading", { name: "Computer logged in" })).toBeVisible();
  await expectAccessible(page);
  expect(await login.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/ works for .+ \(proven\)\n$/) });

  await page.getByRole("link", { name: agent }).click();
  const section = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Works for", exact: true }) });
  await expect(section).toContainText("by quarterdeck login");
  await page.goto("/audit?q=kind:agent_login_confirmed");
  await expect(page.getByRole("row").filter({ hasText: `${agent} works for` })).toBeVisible();

  const environment = { HOME: home, QUARTERDECK_URL: api.url, QUARTERDECK_KEY: "" };
  expect(await quarterdeck(["logout"], home, environment)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ works for an unknown person\n$/),
  });
});

test("a shared agent names its service, a refusal changes nothing, and a browser that was left open asks who it is", async ({
  page,
  browser,
  api,
}) => {
  const { agent, home } = await computer(api);
  const { id: agentId } = found((await api.query("agents.names")).find(({ name }) => name === agent));
  await api.mutate("principals.setOwner", { agentId, owner: { kind: "service", name: "nightly review" } });
  const refused = await startLogin(home, api.url);
  await enter(page, await refused.code);
  await expect(page.getByText("You replace nightly review.")).toBeVisible();
  await page.getByRole("button", { name: "Refuse" }).click();
  await expect(page.getByRole("heading", { name: "Login refused" })).toBeVisible();
  expect(await refused.ended).toMatchObject({ code: 1, stderr: expect.stringContaining("refused in the console") });

  const next = await startLogin(home, api.url);
  const open = await leftOpen(page, browser, api);
  await enter(open, await next.code);
  await open.getByRole("button", { name: "Log in this computer" }).click();
  await expect(open.getByRole("dialog", { name: "Confirm your identity" })).toContainText("To log in a computer");
  await open.keyboard.press("Escape");
  expect(await api.query("principals.owner", { agentId })).toMatchObject({ owner: { name: "nightly review" } });
  await open.getByRole("button", { name: "Refuse" }).click();
  expect((await next.ended).code).toBe(1);
});
