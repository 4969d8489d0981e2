import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { quarterdeck } from "./fixtures/command-line.ts";
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { expectNotice } from "./fixtures/notices.ts";

const policy = (matcher: string) =>
  `hooks:\n  pre_tool_use:\n    - matcher: ${matcher}\n      hooks:\n        - {type: builtin, command: safer_shell}\n`;

/** The command line without any server in reach. */
async function offline(args: readonly string[], cwd: string): Promise<{ code: number; said: string }> {
  const { code, stdout, stderr } = await quarterdeck(args, cwd, { QUARTERDECK_URL: "http://127.0.0.1:9" });
  return { code, said: stdout + stderr };
}

test("a publication is in the record with its diff, and the record is proven elsewhere", async ({
  page,
  api,
  server,
}) => {
  const name = fresh("audited");
  const tool = fresh("tool").replaceAll(" ", "_");
  await api.mutate("policies.publishByName", { name, source: policy(tool), note: "" });
  await page.goto("/audit");
  await expect(page.getByRole("heading", { name: "Audit", level: 1 })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: `published revision 1 of ${name}` })).toBeVisible();

  // The page follows by itself.
  await api.mutate("policies.publishByName", { name, source: policy(`${tool}_two`), note: "" });
  await page
    .getByRole("row")
    .filter({ hasText: `published revision 2 of ${name}` })
    .click();
  const drawer = page.getByRole("dialog");
  await expect(drawer).toContainText(`matcher: ${tool}_two`);
  await expect(drawer).toContainText("1 removed");
  await expect(drawer).toContainText("hash valid");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expectAccessible(page);

  await page.goto("/audit/proof");
  await expect(page.getByText(/[0-9a-f-]{36}\.jsonl on this server/)).toBeVisible();
  await page.getByRole("button", { name: "Sign one now" }).click();
  // The server signs by itself, too, and may have been first.
  await expect(page.getByText(/^Signed checkpoints cover (?:every entry|the entries up to [\d,]+)$/)).toBeVisible();
  await page.getByRole("button", { name: "Verify now" }).click();
  await expect(page.getByText(/^Nothing was altered: /)).toBeVisible();
  await expect(page.getByText(/^Nothing is missing: /)).toBeVisible();
  await expect(page.getByText(/^Verified up to entry \d+, .*, by /)).toBeVisible();
  await expectAccessible(page);

  // The next one begins at the checkpoint, unless all of it is asked for; the results stay.
  await page.getByRole("button", { name: "Verify now" }).click();
  await expect(page.getByText(/^Verified earlier: entries 1 to \d+, by /)).toBeVisible();
  await page.getByRole("button", { name: "From the beginning" }).click();
  await expect(page.getByText("2 earlier verifications")).toBeVisible();
  await expect(page.getByText(/^Verified earlier: /)).toBeHidden();
  await expect(page.getByText(/^Nothing was altered: /).first()).toBeVisible();
  await page.reload();
  await page.getByText("2 earlier verifications").click();
  await expectAccessible(page);

  const downloaded = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  const folder = await mkdtemp("/tmp/quarterdeck-record-");
  await (await downloaded).saveAs(join(folder, "record.jsonl"));
  const record = await readFile(join(folder, "record.jsonl"), "utf8");
  const { workspace }: { workspace: string } = JSON.parse(record.slice(0, record.indexOf("\n")));
  const [key] = await api.query("audit.keys");
  await writeFile(join(folder, "key.pem"), key?.publicKey ?? "");
  const points = join(server.dataDir, "checkpoints");
  expect(await readdir(points)).toContain(`${workspace}.jsonl`);
  await copyFile(join(points, `${workspace}.jsonl`), join(folder, "outside.jsonl"));
  const proof = ["audit", "verify", "record.jsonl", "--key", "key.pem", "--checkpoint", "outside.jsonl"];
  const proven = await offline(proof, folder);
  expect(proven.said).toContain("Nothing was altered");
  expect(proven.code).toBe(0);

  const harmed = record.replace(`\\"name\\":\\"${name}\\"`, `\\"name\\":\\"${name.slice(0, -1)}x\\"`);
  expect(harmed).not.toBe(record);
  await writeFile(join(folder, "record.jsonl"), harmed);
  const found = await offline(proof, folder);
  expect(found.said).toMatch(/1 thing was altered:\n {4}entry \d+ \(policy_created\)/);
  expect(found.code).toBe(1);
  await rm(folder, { recursive: true });
});

test("a hold stands and is released; raw capture is on every page until it is off", async ({ page }) => {
  const reason = fresh("case");
  await page.goto("/settings/data");
  await page.getByRole("button", { name: "Place a hold" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByLabel("Session").fill("none of this name");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Place hold" }).click();
  const hold = page.getByRole("list", { name: "Legal holds" }).getByRole("listitem").filter({ hasText: reason });
  await expect(hold).toContainText("session none of this name");
  await hold.getByRole("button", { name: `Release ${reason}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Release hold" }).click();
  await expect(hold).toBeHidden();

  await page.getByLabel("Reason for raw capture").fill(reason);
  await page.getByRole("button", { name: "Store inputs unmasked" }).click();
  const banner = await expectNotice(page, "Raw capture", "keep their secrets");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Mask again" }).click();
  await expect(banner).toBeHidden();
  await page.goto("/audit");
  await expect(page.getByRole("row").filter({ hasText: "masks inputs again" }).first()).toBeVisible();
});

test("what retention would drop is counted before it is saved", async ({ page }) => {
  await page.goto("/settings/data");
  await page.getByLabel("Dispatches, days").fill("36500");
  await page.getByRole("button", { name: "Count and save" }).click();
  const confirm = page.getByRole("alertdialog");
  await expect(confirm).toContainText("Dispatches: nothing goes now");
  await expectAccessible(page);
  await confirm.getByRole("textbox").fill("drop");
  await confirm.getByRole("button", { name: "Save retention" }).click();
  await expect(page.getByText("Retention is set")).toBeVisible();
  await page.goto("/audit?q=kind:retention_set");
  await page.getByRole("row").filter({ hasText: "changed how long data is kept" }).first().click();
  await expect(page.getByRole("dialog")).toContainText("36500");
});

test("an erasure is asked for, carried out, stands, and is withdrawn", async ({ page }) => {
  const reason = fresh("request");
  await page.goto("/settings/data");
  await page.getByLabel("Session to erase").fill("none of this name");
  await page.getByLabel("Reason for erasing").fill(reason);
  await page.getByRole("button", { name: "Erase content" }).click();
  const confirm = page.getByRole("alertdialog");
  await expect(confirm).toContainText("in the session none of this name");
  await expectAccessible(page);
  await confirm.getByRole("textbox").fill("erase");
  await confirm.getByRole("button", { name: "Erase for good" }).click();
  const request = page
    .getByRole("list", { name: "Erasure requests" })
    .getByRole("listitem")
    .filter({ hasText: reason });
  await expect(request).toContainText("Later reports are erased too.", { timeout: 30_000 });
  await expect(page.getByText("Backups keep what they hold until they expire")).toBeVisible();
  await expectAccessible(page);
  await request.getByRole("button", { name: `Withdraw ${reason}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Withdraw request" }).click();
  await expect(request).toContainText("withdrawn");
  await page.goto("/audit?q=kind:erasure_finished");
  await expect(page.getByRole("row").filter({ hasText: "finished an erasure" }).first()).toBeVisible();
});
