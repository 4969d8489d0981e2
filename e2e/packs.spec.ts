/** A pack from the gallery to what is in force, and to its next version. */
import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import pg from "pg";
import { prepareSocketDirectory } from "../server/database/data-directory.ts";
import { embeddedUrl } from "../server/database/embedded.ts";
import { PACKS } from "../server/packs/registry.ts";
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import type { Server } from "./fixtures/shared-servers.ts";
import { showText } from "./pages/policy-editor.ts";

const pack = PACKS.find(({ id }) => id === "git-safety");
if (!pack) throw new Error("the pack of this journey is gone");
const { id: packId, title, promise, source } = pack;

const editor = (page: Page) => page.getByRole("textbox", { name: "Policy text, YAML" });
const card = (page: Page) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

async function gallery(page: Page): Promise<void> {
  await page.goto("/policies");
  await page.getByRole("link", { name: "Packs", exact: true }).click();
  await expect(card(page)).toBeVisible();
}

const sourceOf = async (api: Script, policyId: string) => await api.query("policies.get", { policyId });

test("a pack is read, installed as a draft, seen in the editor and published", async ({ page, api }) => {
  await gallery(page);
  await expect(card(page).getByText(promise)).toBeVisible();
  await card(page).getByRole("button", { name: "Details", exact: true }).click();
  // A sentence first; the text is there for who wants to read it.
  await expect(card(page).getByText(/^1 rule runs here: before a tool runs/)).toBeVisible();
  await expect(card(page).getByRole("region", { name: `Text of ${title}` })).toHaveCount(0);
  await card(page)
    .getByRole("button", { name: /^Show the text/ })
    .click();
  await expect(card(page).getByRole("region", { name: `Text of ${title}` })).toContainText("hooks:");
  await expectAccessible(page);
  await card(page)
    .getByRole("button", { name: /^Preview on the last 24 h/ })
    .click();
  await expect(
    card(page).getByText(
      /No recorded calls for this pack in the last 24 h|The pack's rules would check 0 of|This pack would deny \d+ and require approval for \d+/,
    ),
  ).toBeVisible({ timeout: 40_000 });
  await page.getByRole("searchbox", { name: "Search packs" }).fill("nothing holds these words");
  await expect(card(page)).toHaveCount(0);
  await page.getByRole("searchbox", { name: "Search packs" }).fill(title);
  await card(page)
    .getByRole("button", { name: /^Install/ })
    .click();
  // Not the whole workspace unless somebody says so.
  const dialog = page.getByRole("dialog", { name: `Install ${title}` });
  await expect(dialog.getByRole("radio", { name: /Decide later/ })).toBeChecked();
  await expect(dialog.getByRole("button", { name: "Install and publish" })).toBeDisabled();
  await dialog.getByRole("radio", { name: /The whole workspace/ }).check();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create draft" }).click();

  await showText(page);
  await expect(editor(page)).toContainText("hooks:", { timeout: 30_000 });
  const policyId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(await sourceOf(api, policyId)).toMatchObject({ source, latestRevision: 0 });
  await expect(page.getByText(/^(?:No errors|\d+ gates? allows? on failure)/)).toBeVisible();
  await page.keyboard.press("ControlOrMeta+Enter");
  // The effect of pressing, and all that nobody has checked, before it is pressed.
  await expect(
    page.getByText(/^Publishing runs the test cases\. .* revision 1 takes effect immediately/),
  ).toBeVisible();
  await expect(page.getByText(/^Not checked: /)).toBeVisible();
  // The text runs on the recorded calls by itself.
  await expect(page.getByText(/newest 5,000 calls of 30 days/)).toBeVisible({ timeout: 40_000 });
  await page.getByRole("button", { name: "Publish revision 1" }).click();
  await expect(page.getByText(/^Revision 1 of .* is in force/)).toBeVisible();
  expect(await sourceOf(api, policyId)).toMatchObject({ publishedSource: source, latestRevision: 1 });
  await gallery(page);
  await expect(card(page).getByText("installed", { exact: true })).toBeVisible();
  await expect(card(page).getByText(/version \d+, published/)).toBeVisible();
});

/** Brings back the state of an earlier release, since none can be installed: a pack's policy with another text. */
async function age({ dataDir }: Server, policyId: string, text: string): Promise<void> {
  const socketDir = await prepareSocketDirectory(dataDir);
  const client = new pg.Client({ connectionString: embeddedUrl(socketDir, "quarterdeck") });
  await client.connect();
  try {
    const sha256 = createHash("sha256").update(text).digest("hex");
    await client.query("UPDATE policy SET pack_version = 0, pack_sha256 = $2 WHERE id = $1", [policyId, sha256]);
    await client.query("UPDATE policy_draft SET source = $2 WHERE policy_id = $1", [policyId, text]);
  } finally {
    await client.end();
  }
}

test("a later version becomes the draft, and replaces nothing that somebody changed", { tag: "@proof" }, async ({
  page,
  api,
  server,
}) => {
  const name = fresh("from a pack");
  const { policyId } = await api.mutate("packs.install", { packId, name });
  const older = `# as it was\n${source}`;
  await age(server, policyId, older);
  await gallery(page);
  await card(page)
    .getByRole("button", { name: /^Draft version/ })
    .click();
  await expect(card(page).getByText("The policy's draft now has the new pack version.")).toBeVisible();
  expect((await sourceOf(api, policyId)).source).toBe(source);

  await age(server, policyId, older);
  const { latestRevision, draftVersion } = await sourceOf(api, policyId);
  const mine = `# mine\n${older}`;
  const base = { baseVersion: draftVersion, baseRevision: latestRevision };
  await api.mutate("policies.saveDraft", { policyId, source: mine, ...base });
  await gallery(page);
  await card(page)
    .getByRole("button", { name: /^Draft version/ })
    .click();
  await expect(card(page).getByText("You changed this policy, so it was not replaced.")).toBeVisible();
  await expectAccessible(page);
  expect((await sourceOf(api, policyId)).source).toBe(mine);
});

test("a pack is put in force for one team in one dialog, and its questions reach the Approvals page", async ({
  page,
  api,
}) => {
  const [claude, docker, other, group] = [fresh("claude"), fresh("docker"), fresh("other"), fresh("team")];
  const keys = { claude: await api.key(claude), docker: await api.key(docker), other: await api.key(other) };
  const members = (await api.query("agents.list")).filter(({ name }) => [claude, docker].includes(name));
  const { groupId } = await api.mutate("agents.createGroup", { name: group });
  await api.mutate("agents.setGroupMembers", { groupId, agentIds: members.map(({ id }) => id) });
  await page.goto("/");
  await page.getByRole("link", { name: "Policies", exact: true }).click();
  await page.getByRole("link", { name: "Packs", exact: true }).click();
  await card(page)
    .getByRole("button", { name: /^Install/ })
    .click();
  const dialog = page.getByRole("dialog", { name: `Install ${title}` });
  // The lists are there, and the effect is measured without a click.
  await dialog.getByRole("checkbox", { name: group }).click();
  await dialog.getByRole("radio", { name: /On the Approvals page/ }).check();
  await expect(dialog.getByText(/No calls in the last 24 h|would have denied/)).toBeVisible({ timeout: 40_000 });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Install and publish" }).click();
  await expect(page.getByText(`${title} is in force`)).toBeVisible();
  await expect(page.getByText("Applies to 2 agents.")).toBeVisible();

  const ask = async (path: string, key: string, input: object) => {
    const response = await fetch(`${api.url}/api/v1/hooks/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    return JSON.stringify(await response.json());
  };
  const inClaude = (command: string) => ({
    ...{ hook_event_name: "PreToolUse", session_id: "c", transcript_path: "/t.jsonl", cwd: "/srv" },
    ...{ permission_mode: "default", tool_name: "Bash", tool_use_id: command, tool_input: { command } },
  });
  const inDocker = (cmd: string) => ({
    ...{ session_id: "d", tool_name: "shell", tool_use_id: cmd, tool_input: { cmd } },
  });
  const forced = "git push --force origin work";
  expect(await ask("claude-code/pre_tool_use", keys.claude, inClaude(forced))).toContain('"deny"');
  expect(await ask("pre_tool_use?lane=preempt_yolo", keys.docker, inDocker(forced))).toContain("forced push");
  expect(await ask("pre_tool_use?lane=preempt_yolo", keys.other, inDocker(forced))).toBe("{}");
  // A question is no question in the terminal now: it is denied with a number, and waits on the page.
  const shared = "git push origin main";
  expect(await ask("claude-code/pre_tool_use", keys.claude, inClaude(shared))).toContain("QD-");
  expect(await ask("pre_tool_use?lane=preempt_yolo", keys.docker, inDocker(shared))).toContain("QD-");
  await page.goto("/approvals");
  await expect(page.getByText("This goes straight to a shared branch").first()).toBeVisible();
});

test("a pack that is installed is opened or updated, and a second copy has a name of its own", async ({
  page,
  api,
}) => {
  const { policyId } = await api.mutate("packs.install", { packId });
  const policies = async () => (await api.query("policies.list")).map(({ name }) => name);
  const count = (await policies()).length;
  await gallery(page);
  await card(page)
    .getByRole("button", { name: /^Install again/ })
    .click();
  const dialog = page.getByRole("dialog", { name: `Install ${title}` });
  await expect(dialog).toContainText("This pack is installed already.");
  await expect(dialog.getByRole("link", { name: title })).toHaveAttribute("href", `/policies/${policyId}`);
  await expect(dialog.getByRole("button", { name: "Create draft" })).toHaveCount(0);
  await expectAccessible(page);

  await dialog.getByRole("button", { name: "Install a second copy…" }).click();
  await dialog.getByRole("radio", { name: /Decide later/ }).check();
  await expect(dialog.getByRole("button", { name: "Create draft" })).toBeDisabled();
  const name = fresh("git safety of CI");
  await dialog.getByLabel("Name of the second copy").fill("no, this");
  await expect(dialog.getByRole("alert")).toContainText("Use letters, digits, spaces, dots, dashes and underscores.");
  await dialog.getByLabel("Name of the second copy").fill(name);
  await dialog.getByRole("button", { name: "Create draft" }).click();
  await expect(page).toHaveURL(/\/policies\/[0-9a-f-]{36}/);
  expect(await policies()).toHaveLength(count + 1);
  expect(await policies()).toContain(name);
});
