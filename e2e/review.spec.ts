/** Two people and one policy: a review, four eyes, and edits at the same time. */
import type { Browser, Page } from "@playwright/test";
import { expect, expectAccessible, found, fresh, patient, type Script, test } from "./fixtures/console.ts";
import { showText } from "./pages/policy-editor.ts";

const AGENT_FILE = `agents:
  root:
    model: auto
    hooks:
      pre_tool_use:
        - matcher: reviewed
          hooks:
            - name: first gate
              type: command
              command: exit 0
`;
const GATES = (first: string, second: string) => `hooks:
  pre_tool_use:
    - matcher: reviewed
      hooks:
        - name: first gate
          type: command
          command: ${first}

        - name: second gate
          type: command
          command: ${second}
`;

const editor = (page: Page) => page.getByRole("textbox", { name: "Policy text, YAML" });

async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

/** Somebody else, signed in, in a browser of their own. */
async function secondPerson(browser: Browser, api: Script): Promise<{ page: Page; name: string }> {
  const name = fresh("Grace");
  const email = `${name.replaceAll(" ", "-").toLowerCase()}@example.org`;
  const { link } = await api.mutate("people.invite", { email, role: "admin" });
  const page = patient(await (await browser.newContext()).newPage());
  await page.goto(`/invite${new URL(found(link)).search}`);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Join" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  return { page, name };
}

const heldOf = async (api: Script, policyId: string) => await api.query("policies.get", { policyId });

async function openDraft(page: Page, api: Script, source: string): Promise<{ name: string; id: string }> {
  const name = fresh("reviewed");
  const { policyId } = await api.mutate("policies.create", { name, source });
  await page.goto(`/policies/${policyId}`);
  await showText(page);
  return { name, id: policyId };
}

test("an imported policy is changed, approved by a second person, tried in a canary, promoted, and rolled back", async ({
  page,
  api,
  browser,
}) => {
  test.slow();
  const { page: other, name: reviewer } = await secondPerson(browser, api);
  const name = fresh("imported");
  await page.goto("/policies");
  await page.getByRole("button", { name: "Import…" }).click();
  await page.getByLabel("Or paste it").fill(AGENT_FILE);
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText("1 hook on 1 event. Ready to publish.")).toBeVisible();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create draft" }).click();
  await page.waitForURL(/\/policies\/[\w-]+$/);
  const policyId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const { source } = await heldOf(api, policyId);
  await api.mutate("policies.publishByName", { name, source });
  await showText(page);

  // Four eyes, from the policy's menu.
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Second approver…" }).click();
  await page.getByRole("button", { name: "Require a second approver" }).click();
  await expect(
    page.getByText("It takes two people to stop requiring a second approver", { exact: false }),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Close", exact: true }).last().click();

  await write(page, GATES("exit 2", "exit 0"));
  await expect(page.getByText("Draft saved").first()).toBeVisible();
  await page.getByRole("button", { name: "Publish…" }).click();
  const publishing = page.getByRole("dialog", { name: /Publish revision 2/ });
  await expect(publishing.getByText("This policy requires a second approver", { exact: false })).toBeVisible();
  await publishing.getByRole("button", { name: "Publish revision 2" }).click();
  await expect(publishing.getByText("no other person has approved this text", { exact: false })).toBeVisible();
  await publishing.getByRole("button", { name: "Send for review…" }).click();

  const sending = page.getByRole("dialog", { name: `Send ${name} for review` });
  await expect(sending.getByText("runs exit 2 instead of exit 0", { exact: false })).toBeVisible();
  await sending.getByRole("button", { name: "Measure the impact" }).click();
  await expect(sending.getByText(/recorded event|No recorded calls/).last()).toBeVisible({ timeout: 40_000 });
  await expectAccessible(page);
  await sending.getByLabel("Note").fill("stops it");
  await sending.getByRole("button", { name: "Send for review", exact: true }).click();
  await expect(page.getByText("waits for review").first()).toBeVisible();

  // Its author cannot approve it.
  await page.getByRole("button", { name: "Open the review" }).click();
  const own = page.getByRole("dialog", { name: new RegExp(`Review of ${name}`) });
  await expect(own.getByText("You sent this for review. Another person must approve it.")).toBeVisible();
  await expect(own.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await page.keyboard.press("Escape");

  // The second person finds it among those that wait, and says what they think.
  await other.goto("/policies");
  await other.getByRole("link", { name: /^Reviews/ }).click();
  await other.getByRole("button", { name: new RegExp(name) }).click();
  const read = other.getByRole("dialog", { name: new RegExp(`Review of ${name}`) });
  await expect(read.getByText("stops it")).toBeVisible();
  await expect(read.getByText("is added to pre_tool_use", { exact: false })).toBeVisible();
  await read.getByRole("radio", { name: "Text" }).click();
  await expect(read.getByText("second gate").first()).toBeVisible();
  await expectAccessible(other);
  await read.getByLabel("Comment").fill("looks right");
  await read.getByRole("button", { name: "Approve" }).click();
  await expect(read.getByText("looks right")).toBeVisible();

  await expect(page.getByText(`${reviewer} approved this draft.`, { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Publish…" }).click();
  await page.getByRole("radio", { name: "Some agents first (canary)" }).check();
  await page.getByLabel("Share of the agents, percent").fill("100");
  await page.getByRole("button", { name: "Publish revision 2" }).click();
  await expect(page.getByText(`Revision 2 of ${name} is in canary`)).toBeVisible();
  await page.getByRole("region", { name: "Canary" }).getByRole("button", { name: "Promote…" }).click();
  await page.getByRole("button", { name: "Promote", exact: true }).click();

  // A change of what binds takes two people as well: one asks, the other agrees to exactly that, the first makes the change.
  const second = page.getByRole("dialog", { name: "This change needs a second person" });
  await second.getByLabel("Note for the second person").fill("the canary was quiet");
  await expectAccessible(page);
  await second.getByRole("button", { name: "Ask a second person" }).click();
  await expect(second).toHaveCount(0);
  await other.goto(`/policies/${policyId}`);
  const asked = other.getByRole("list", { name: "Assignment changes" });
  await expect(asked).toContainText("the canary was quiet");
  await asked.getByRole("button", { name: "Agree" }).click();
  const requests = page.getByRole("list", { name: "Assignment changes" });
  await expect(requests).toContainText(`${reviewer} approved this change.`);
  await expectAccessible(page);
  await requests.getByRole("button", { name: "Apply change" }).click();
  await expect(page.getByText("Change applied")).toBeVisible();

  // Back, in an emergency: one person, with a reason that everybody sees.
  await page.goto(`/policies/${policyId}?view=revisions&revision=1`);
  await page.getByRole("dialog").getByRole("button", { name: "Roll back…" }).click();
  await page.getByRole("button", { name: "Roll back to revision 1" }).click();
  await second.getByRole("button", { name: "Emergency…" }).click();
  await second.getByLabel("Reason not to wait for a second person").fill("It denies every deployment.");
  await expectAccessible(page);
  await second.getByRole("button", { name: "Apply change as an emergency" }).click();
  await expect(page.getByText("Change applied")).toBeVisible();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await page.goto(`/policies/${policyId}`);
  await expect(page.getByText("revision 1 in force", { exact: true })).toBeVisible();
  await expect(requests).toContainText("Reason: It denies every deployment.");
  await other.context().close();
});

test("a change after the approval takes it away, and a script is refused as well", { tag: "@proof" }, async ({
  page,
  api,
  browser,
}) => {
  const { page: other } = await secondPerson(browser, api);
  const { id, name } = await openDraft(page, api, GATES("exit 0", "exit 0"));
  await api.mutate("reviews.setFourEyes", { policyId: id, isOn: true });
  const refused = api.mutate("policies.publishByName", { name, source: GATES("exit 0", "exit 0") });
  await expect(refused).rejects.toThrow(/four eyes/);
  const { draftVersion } = await heldOf(api, id);
  const { reviewId } = await api.mutate("reviews.request", { policyId: id, draftVersion });
  await other.goto(`/policies/reviews?review=${reviewId}`);
  await other.getByRole("button", { name: "Approve" }).click();
  await expect(other.getByText("You approved this draft")).toBeVisible();
  await expect(page.getByText("approved", { exact: true })).toBeVisible();
  await write(page, GATES("exit 0", "exit 2"));
  await expect(page.getByText("out of date", { exact: true })).toBeVisible();
  await expect(api.mutate("policies.publishByName", { name, source: GATES("exit 0", "exit 0") })).rejects.toThrow(
    /four eyes/,
  );
  await other.context().close();
});

test("two who edit different hooks at once both keep their change; in the same line one is asked", {
  tag: "@proof",
}, async ({ page, api, browser }) => {
  test.slow();
  const { page: other, name: otherName } = await secondPerson(browser, api);
  const { id } = await openDraft(page, api, GATES("exit 0", "exit 0"));
  await other.goto(`/policies/${id}`);
  await showText(other);

  // Both type before either hears of the other.
  await page.context().setOffline(true);
  await write(page, GATES("exit 2", "exit 0"));
  await write(other, GATES("exit 0", "exit 1"));
  await expect(other.getByText("Draft saved").first()).toBeVisible();
  await page.context().setOffline(false);
  await expect(
    page.getByText(`Your draft was merged with ${otherName}'s change to line`, { exact: false }),
  ).toBeVisible({ timeout: 20_000 });
  await expect.poll(async () => (await heldOf(api, id)).source).toBe(GATES("exit 2", "exit 1"));
  await page.getByRole("button", { name: "See the change" }).click();
  await expect(page.getByRole("dialog", { name: "Merged changes" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "OK", exact: true }).click();

  // Both begin from the merged text, and change the same line.
  await other.reload();
  await expect(editor(other)).toContainText("exit 2", { timeout: 30_000 });
  await page.context().setOffline(true);
  await write(page, GATES("echo mine", "exit 1"));
  await write(other, GATES("echo theirs", "exit 1"));
  await expect(other.getByText("Draft saved").first()).toBeVisible();
  await expect.poll(async () => (await heldOf(api, id)).source).toContain("echo theirs");
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Compare and choose…" }).click({ timeout: 20_000 });
  const choosing = page.getByRole("dialog", { name: "Conflicting versions" });
  await expect(choosing.getByText("command: echo theirs")).toBeVisible();
  await expect(choosing.getByRole("button", { name: "Use this text" })).toBeDisabled();
  await choosing.getByRole("radio", { name: "Theirs, conflict 1" }).click();
  await expectAccessible(page);
  await choosing.getByRole("button", { name: "Use this text" }).click();
  await expect(editor(page)).toContainText("echo theirs");
  expect((await heldOf(api, id)).source).toBe(GATES("echo theirs", "exit 1"));
  await other.context().close();
});

test("a draft behind a newer revision is brought up to date, and both changes are in it", { tag: "@proof" }, async ({
  page,
  api,
}) => {
  const name = fresh("behind");
  const source = GATES("exit 0", "exit 0");
  const { policyId: id } = await api.mutate("policies.publishByName", { name, source });
  await page.goto(`/policies/${id}`);
  await showText(page);
  await write(page, GATES("exit 2", "exit 0"));
  await expect(page.getByText("Draft saved").first()).toBeVisible();
  await api.mutate("policies.publishByName", { name, source: GATES("exit 0", "exit 1") });
  await page.getByRole("button", { name: "Update draft" }).click();
  await expect.poll(async () => (await heldOf(api, id)).source).toBe(GATES("exit 2", "exit 1"));
  await expect(page.getByRole("button", { name: "Update draft" })).toHaveCount(0);
});

test("a review whose policy was deleted, and a link to none, say so in words", { tag: "@proof" }, async ({
  page,
  api,
}) => {
  const { id } = await openDraft(page, api, GATES("exit 0", "exit 0"));
  const { draftVersion } = await heldOf(api, id);
  const { reviewId } = await api.mutate("reviews.request", { policyId: id, draftVersion });
  await page.goto(`/policies/reviews?review=${reviewId}`);
  await expect(page.getByText("Withdraw").or(page.getByText("waits for review")).first()).toBeVisible();
  await api.mutate("policies.remove", { policyId: id });
  await page.reload();
  await expect(page.getByText("This review does not exist")).toBeVisible();
  await page.goto("/policies/reviews?review=nonsense");
  await expect(page.getByText("This review does not exist")).toBeVisible();
});
