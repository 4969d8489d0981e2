import { anonymous, expect, expectAccessible, fresh, installation, test } from "./fixtures/console.ts";
import { address, leftOpen, PASSWORD, stranger } from "./pages/accounts.ts";

anonymous("the sign-in page without a link says how to get one", async ({ page }) => {
  await page.goto("/sign-in");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page.getByText("npm run -s quarterdeck -- sign-in")).toBeVisible();
  await expectAccessible(page);
});

anonymous("a link signs in, lands on the page asked for, and leaves no token behind", async ({ page, api }) => {
  await page.goto("/agents?open=nobody");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fagents%3Fopen%3Dnobody$/);
  const link = await api.link("/agents?open=nobody");
  const seen: string[] = [];
  page.on("framenavigated", (frame) => void seen.push(frame.url()));
  await page.goto(link);
  await page.waitForURL("**/agents?open=nobody");
  await expect(page.getByRole("heading", { name: "Agents" })).toBeVisible();
  await page.goBack();
  await expect(page).not.toHaveURL(/token=/);
  expect(await page.evaluate(() => document.cookie)).toBe("");
});

anonymous("a link that was used says so, and does not sign in", async ({ browser, api }) => {
  const link = await api.link();
  const first = await browser.newPage();
  await first.goto(link);
  await first.waitForURL((url) => url.pathname === "/");
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link);
  await expect(stranger.getByRole("heading", { name: "This sign-in link did not work" })).toBeVisible();
  await expect(stranger.getByText("The sign-in link has expired, was already used")).toBeVisible();
  expect(stranger.url()).not.toContain("token=");
  await expectAccessible(stranger);
});

anonymous("a link to another site lands here all the same", { tag: "@proof" }, async ({ page, api }) => {
  await page.goto(await api.link("//evil.example/"));
  await page.waitForURL((url) => url.pathname === "/");
  expect(new URL(page.url()).origin).toBe(api.url);
});

test("a question that is refused in an old session's name does not lead away", { tag: "@proof" }, async ({
  page,
  api,
}) => {
  await page.goto("/agents");
  const name = fresh("asked again");
  let refused = 0;
  await page.route(/\/api\/trpc\/[^?]*agents\.search/, async (route) => {
    refused += 1;
    if (refused > 1) return route.continue();
    // As the server answers somebody who is not signed in.
    const answer = await fetch(route.request().url());
    expect(await answer.clone().text()).toContain("not_signed_in");
    return route.fulfill({ status: answer.status, contentType: "application/json", body: await answer.text() });
  });
  await api.key(name);
  await expect(page.getByText(name, { exact: true })).toBeVisible();
  expect(refused).toBeGreaterThan(1);
  await expect(page).toHaveURL(/\/agents$/);
});

installation(
  "the server's link asks for a password until there is one, which then confirms who is there",
  async ({ browser, api }) => {
    const asks = { name: "Choose a password" };
    const later = await stranger(browser);
    await later.goto(await api.link("/agents"));
    await expect(later.getByRole("heading", asks)).toBeVisible();
    await later.getByRole("button", { name: "Not now" }).click();
    await later.waitForURL("**/agents");
    await later.reload();
    await expect(later.getByRole("heading", { name: "Agents" })).toBeVisible();

    const page = await stranger(browser);
    await page.goto(await api.link("//evil.example/"));
    await page.getByRole("button", { name: "Not now" }).click();
    await page.waitForURL(`${api.url}/`);

    await page.goto(await api.link("/agents?open=nobody"));
    await expect(page.getByRole("heading", asks)).toBeVisible();
    await page.getByLabel("E-mail").fill(address("ada"));
    await page.getByLabel("New password").fill(PASSWORD);
    await page.getByLabel("Repeat the password").fill("correct horse batter");
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(page.getByText("The two passwords are not the same.")).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page);
    await page.getByLabel("Repeat the password").fill(PASSWORD);
    await page.getByRole("button", { name: "Set password" }).click();
    await page.waitForURL("**/agents?open=nobody");

    const open = await leftOpen(page, browser, api);
    await api.mutate("halts.halt", { target: { scope: "workspace" }, reason: "A key leaked" });
    await open.goto("/audit/halts");
    await open.getByRole("button", { name: "Resume…" }).click();
    const act = open.getByRole("alertdialog");
    await act.getByLabel("Reason for resuming").fill("The key is replaced");
    await act.getByRole("button", { name: "Resume" }).click();
    await open.getByRole("dialog", { name: "Confirm your identity" }).getByLabel("Password").fill(PASSWORD);
    await open.keyboard.press("Enter");
    await expect(open.getByText("No halts")).toBeVisible();

    const again = await stranger(browser);
    await again.goto(await api.link("/agents"));
    await again.waitForURL("**/agents");
  },
);
