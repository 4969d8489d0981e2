/** The ways in: an invitation and a change of role, a second factor. */
import { expect, expectAccessible, test } from "./fixtures/console.ts";
import { totpCode } from "./fixtures/totp.ts";
import { address, invite, join, PASSWORD, signIn, stranger } from "./pages/accounts.ts";

test("an auditor is invited from Home for a week, and joins with an end", async ({ page, browser, api }) => {
  const headers = { authorization: `Bearer ${await api.key("ungoverned")}`, "content-type": "application/json" };
  const body = JSON.stringify({ session_id: "s", tool_name: "shell", tool_use_id: "c", tool_input: { cmd: "ls" } });
  await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, { method: "POST", headers, body });
  const email = address("audrey");
  await page.goto("/?range=1h");
  await page.getByRole("link", { name: "Invite…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("a single-use link that expires in 7 days");
  await dialog.getByRole("radio", { name: "auditor" }).check();
  await expect(dialog.getByRole("combobox", { name: "Access ends" })).toContainText("after a week");
  await dialog.getByLabel("E-mail").fill(email);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  const link = (await page.getByTestId("shown-once").textContent()) ?? "";
  await expect(page.getByRole("button", { name: "Copy link" })).toBeVisible();
  await page.getByRole("button", { name: "I have saved the link" }).click();
  const invitation = page.getByRole("list", { name: "Invitations" }).getByRole("listitem").filter({ hasText: email });
  await expect(invitation).toContainText("as auditor for a week");
  await expect(invitation).toContainText(/link ends in 7 d/);

  const other = await stranger(browser);
  await other.goto(`/invite${new URL(link).search}`);
  await expect(other.getByText("You are invited as auditor for a week")).toBeVisible();
  await join(other, `/invite${new URL(link).search}`, "Audrey Tang");
  await expect(other.getByRole("link", { name: "Invite…" })).toHaveCount(0);
  // An auditor cannot govern an agent: the row waits for others, and is in no count.
  await expect(other.getByRole("list", { name: "Waiting for other people" })).toContainText("no enforced policy");
  await expect(other.getByText("Waiting for other people", { exact: true })).toBeVisible();
  await expect(other.getByText("Nothing waits for you")).toBeVisible();
  await page.reload();
  const member = page.getByRole("list", { name: "People" }).getByRole("listitem").filter({ hasText: email });
  await expect(member).toContainText(/access ends in [67] d/);

  // Two presses: the menu, and its item.
  await member.getByRole("button", { name: "More about Audrey Tang" }).click();
  await page.getByRole("menuitem", { name: "Extend access by 30 days" }).click();
  await expect(page.getByText("The access of Audrey Tang is extended by 30 days")).toBeVisible();
  await expect(member).toContainText(/access ends \d{1,2} \w{3,4} \d{4}/);
  await member.getByRole("button", { name: "More about Audrey Tang" }).click();
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "Make access permanent" }).click();
  await expect(page.getByText("The access of Audrey Tang is permanent")).toBeVisible();
  await expect(member).not.toContainText("access ends");
  await page.goto("/audit");
  await expect(page.getByText(/made the access of Audrey Tang \(auditor\) permanent instead of until/)).toBeVisible();
  await expect(page.getByText(/extended the access of Audrey Tang \(auditor\) from/)).toBeVisible();
});

test("people that cannot be loaded are a reason with a button, not an endless wait", async ({ page }) => {
  let isAway = true;
  await page.route(/\/api\/trpc\/[^?]*people\.(list|invitations)/, (route) =>
    isAway ? route.fulfill({ status: 503, json: [] }) : route.continue(),
  );
  await page.goto("/settings/people");
  const failure = page.getByRole("alert").filter({ hasText: "The people could not be loaded" });
  await expect(failure).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("alert").filter({ hasText: "The invitations could not be loaded" })).toBeVisible();
  isAway = false;
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("list", { name: "People" })).toBeVisible();
});

test("somebody invited as an author joins, and is a viewer from the moment somebody says so", async ({
  page,
  browser,
}) => {
  const email = address("grace");
  await page.goto("/settings/people");
  await page.getByRole("button", { name: "Invite…" }).click();
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("radio", { name: "author" }).check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create invitation" }).click();
  const link = (await page.getByTestId("shown-once").textContent()) ?? "";
  await page.getByRole("button", { name: "I have saved the link" }).click();

  const other = await stranger(browser);
  await other.goto(`/invite${new URL(link).search}`);
  await expect(other.getByRole("heading", { name: /^Join/ })).toBeVisible();
  await expectAccessible(other);
  await join(other, `/invite${new URL(link).search}`, "Grace Hopper");
  await other.goto("/policies");
  await expect(other.getByRole("heading", { name: "Policies" })).toBeVisible();
  const created = () =>
    other.evaluate(async () => {
      const response = await fetch("/api/trpc/policies.create", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ json: { name: `of grace ${Math.random()}` } }),
      });
      return response.status;
    });
  expect(await created()).toBe(200);

  await page.reload();
  const row = page.getByRole("listitem").filter({ hasText: email });
  await row.getByRole("combobox", { name: "Role of Grace Hopper" }).click();
  await page.getByRole("option", { name: "viewer" }).click();
  await expect(page.getByText("Grace Hopper is now viewer")).toBeVisible();
  expect(await created()).toBe(403);
  await other.goto("/settings/people");
  await expect(other.getByText(/Required role:/)).toBeVisible();
  await other.goto("/settings/sign-on");
  await expect(other.getByText("Sign-on and mail apply to the whole installation.")).toHaveCount(1);
  await other.goto("/policies");
  await expect(other.getByRole("button", { name: "New policy" }).first()).toBeDisabled();
  await other.keyboard.press("ControlOrMeta+k");
  const refused = other.getByRole("option", { name: /^Invite a person/ });
  await expect(refused).toHaveAttribute("aria-disabled", "true");
  await expect(refused).toContainText("Required role: admin or owner. Your role: viewer.");
  await other.keyboard.press("Escape");
  for (const [path, act] of [
    ["/settings/alerts", "Add a route"],
    ["/approvals/answerers", "Add tools"],
    ["/approvals/answerers", "Add a list"],
  ] as const) {
    await other.goto(path);
    await expect(other.getByRole("button", { name: act })).toBeDisabled();
  }

  // A review of access needs to see people; it changes none.
  await row.getByRole("combobox", { name: "Role of Grace Hopper" }).click();
  await page.getByRole("option", { name: "auditor" }).click();
  await expect(page.getByText("Grace Hopper is now auditor")).toBeVisible();
  await other.goto("/settings/people");
  const people = other.getByRole("list", { name: "People" });
  await expect(people.getByRole("listitem").filter({ hasText: email })).toContainText("auditor");
  await expect(people.getByRole("combobox")).toHaveCount(0);
  await expect(other.getByRole("button", { name: "Invite…" })).toBeDisabled();
  await expect(other.getByRole("region", { name: "Roles and permissions" })).toBeVisible();
  await expectAccessible(other);
  // The setup on Home holds only the steps of one's own account.
  await other.goto("/");
  await expect(other.getByRole("heading", { name: "Set up this workspace" })).toBeVisible();
  await expect(other.getByRole("listitem").filter({ hasText: "Receive notifications" })).toBeVisible();
  await expect(other.getByText("Add a second admin")).toHaveCount(0);
  await page.goto("/settings/people?do=invite-admin");
  await expect(page.getByRole("dialog").getByRole("radio", { name: "admin" })).toBeChecked();
  await page.keyboard.press("Escape");

  await row.getByRole("button", { name: "More about Grace Hopper" }).click();
  await page.getByRole("menuitem", { name: "Remove from the workspace…" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(row).toHaveCount(0);
  // Their page finds out by itself.
  await other.waitForURL((url) => url.pathname === "/sign-in");
});

test("a second factor is set up, asked for, and replaced by a recovery code", async ({ api, browser }) => {
  const email = address("alan");
  const page = await stranger(browser);
  await join(page, await invite(api, email, "viewer"), "Alan Turing");
  await page.goto("/settings");
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set up" }).click();
  const secret = (await page.getByTestId("totp-secret").textContent()) ?? "";
  const uri = `otpauth://totp/x?secret=${secret}`;
  const [recovery = ""] = await page
    .getByRole("list", { name: "Recovery codes" })
    .getByRole("listitem")
    .allTextContents();
  await expectAccessible(page);
  await page.getByLabel("Code from your authenticator").fill(totpCode(uri));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("Second factor turned on")).toBeVisible();

  const again = await stranger(browser);
  await signIn(again, email);
  await again.getByLabel("Code").fill("000000");
  await again.getByRole("button", { name: "Continue" }).click();
  await expect(again.getByText(/Wrong code/)).toBeVisible();
  // Each code works once: the one of the half minute to come.
  await again.getByLabel("Code").fill(totpCode(uri, Date.now() + 30_000));
  await again.getByRole("button", { name: "Continue" }).click();
  await again.waitForURL((url) => url.pathname === "/");

  const lost = await stranger(browser);
  await signIn(lost, email);
  await lost.getByRole("button", { name: "Sign in with a recovery code" }).click();
  await lost.getByLabel("Recovery code").fill(recovery);
  await lost.getByRole("button", { name: "Continue" }).click();
  await lost.waitForURL((url) => url.pathname === "/");

  // The browser it was set up in signs the two others out.
  await page.goto("/settings");
  await expect(page.getByRole("list", { name: "Browsers" }).getByRole("listitem")).toHaveCount(3);
  await page.getByRole("button", { name: "Sign out all other browsers" }).click();
  await expect(page.getByRole("list", { name: "Browsers" }).getByRole("listitem")).toHaveCount(1);
  // Its page finds out by itself.
  await lost.waitForURL((url) => url.pathname === "/sign-in");
});
