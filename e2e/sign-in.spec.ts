import { anonymous, expect, expectAccessible, fresh, test } from "./fixtures/console.ts";

anonymous("without a link one is told how to get one", async ({ page }) => {
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
  await expect(page.getByRole("heading", { name: "Choose a password" })).toBeVisible();
  await page.getByRole("button", { name: "Not now" }).click();
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
  await first.getByRole("button", { name: "Not now" }).click();
  await first.waitForURL((url) => url.pathname === "/");
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link);
  await expect(stranger.getByRole("heading", { name: "This link did not sign you in" })).toBeVisible();
  await expect(stranger.getByText("It was used already")).toBeVisible();
  expect(stranger.url()).not.toContain("token=");
  await expectAccessible(stranger);
});

anonymous("a link to another site lands here all the same", async ({ page, api }) => {
  await page.goto(await api.link("//evil.example/"));
  await page.getByRole("button", { name: "Not now" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  expect(new URL(page.url()).origin).toBe(api.url);
});

test("a question that is refused in an old session's name does not lead away", async ({ page, api }) => {
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
