/** A machine joins by token, is drilled, halted, drilled again, and no longer governed once its hooks are removed. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quarterdeck } from "./fixtures/command-line.ts";
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";

test("a machine that joined is drilled green, halted, drilled blocked, and says when nothing governs it", async ({
  page,
  api,
}) => {
  test.slow();
  const base = await mkdtemp(join(tmpdir(), "quarterdeck-drill-"));
  const home = join(base, "home");
  await mkdir(home);
  const env = { HOME: home, QUARTERDECK_URL: api.url, QUARTERDECK_KEY: "" };
  const run = (...args: string[]) => quarterdeck(args, base, env);
  const { token } = await api.mutate("agents.createEnrolmentToken", {
    name: fresh("laptops"),
    uses: 1,
    hours: 1,
  });
  await writeFile(join(base, "token"), token);
  const name = fresh("machine");
  expect(await run("join", "--token-file", "token", "--name", name)).toMatchObject({ code: 0, stdout: `${name}\n` });
  expect(await run("enrol", "claude-code")).toMatchObject({ code: 0 });

  await page.goto("/agents");
  await page.getByRole("link", { name }).first().click();
  const section = page.locator("section", { has: page.getByRole("heading", { name: "Drills", exact: true }) });
  await expect(section).toContainText("No drills yet");

  const green = await run("drill", "claude-code");
  expect(green).toMatchObject({ code: 0, stdout: expect.stringContaining("3 of 3 blocked") });
  expect(green.stdout).toContain("the policy would allow it, only the drill stopped it");
  await expect(section).toContainText("3 of 3 blocked");
  await expect(section).toContainText("The agent's policies would have allowed 3 of the 3 drill calls.");
  await expect(page.getByText("Last seen")).toBeVisible();
  await expectAccessible(page);

  const agentId = page.url().split("/").at(-1) ?? "";
  await api.mutate("halts.halt", { target: { scope: "agent", agentId }, reason: "Looks wrong" });
  const halted = await run("drill", "claude-code", "--strict");
  expect(halted).toMatchObject({ code: 0, stdout: expect.stringContaining("the policy denies it") });

  expect(await run("enrol", "claude-code", "--remove")).toMatchObject({ code: 0 });
  const ungoverned = await run("drill", "claude-code");
  expect(ungoverned.code).toBe(1);
  expect(ungoverned.stderr).toContain("Claude Code is not governed here");
  await rm(base, { recursive: true, force: true });
});
