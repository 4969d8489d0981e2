/** A newcomer starts with --demo, sees every page alive, and clears it away with one click. */
import { test } from "@playwright/test";
import { demo, expect, patient } from "./fixtures/console.ts";
import { ownServer } from "./fixtures/own-server.ts";
import { pageAddresses } from "./pages/openings.ts";

test("a demo has every page alive within a minute, is marked as one, and one click empties it", async ({ page }) => {
  test.setTimeout(300_000);
  const alive = { timeout: 60_000 };
  const server = await ownServer();
  try {
    await server.start("--demo");
    patient(page);
    await page.goto((await server.quarterdeck(["sign-in"])).trim());
    await page.getByRole("button", { name: "Not now" }).click();
    await expect(page.getByRole("button", { name: "Demo", exact: true })).toBeVisible(alive);
    await expect(page.getByText(/tool calls in /)).toBeVisible(alive);
    for (const [path, shows] of [
      ["activity", "no bulk delete"],
      ["spend", "anthropic/claude-sonnet-4-5"],
      ["activity/compactions", "guided"],
      ["spend/budgets", "Demo - releases"],
      ["activity/sessions", "demo-bugfix"],
      ["policies", "Demo - safe shell"],
      ["agents", "demo-bugfix"],
    ] as const) {
      await page.goto(`${server.url}/${path}`);
      await expect(page.getByText(shows).first()).toBeVisible(alive);
    }

    await page.goto(server.url);
    await page.getByRole("button", { name: "Demo", exact: true }).click();
    await expect(page.getByText("This workspace contains demo data")).toBeVisible();
    await page.getByRole("button", { name: "Remove demo data" }).click();
    await expect(page.getByRole("button", { name: "Demo", exact: true })).toBeHidden();
    const stats = JSON.parse(await server.quarterdeck(["stats", "--json"]));
    expect(stats.overall.event_count).toBe(0);
    await page.goto(`${server.url}/policies`);
    await expect(page.getByText("Demo - safe shell")).toBeHidden();
  } finally {
    await server.close();
  }
});

/** The empty parts that a demo rightly has, with the reason. */
const RIGHTLY_EMPTY: Readonly<Record<string, string>> = {
  "/activity?range=1h&at=2026-01-01T00:00:00.000Z: No calls before the chosen time":
    "It is paused before the demo began.",
  "/audit/halts: No halts in force": "A halt in force would stop the demo's agent. The resumed one is listed below.",
  "/policies/[policyId]?try=true: No run yet": "Nothing ran in the playground before a person runs it.",
  "/spend/prices: No price list yet": "A price list is kept for ever, so it could not be removed with the demo.",
};

demo("no page of the demo has an empty part, except for the few that are named", async ({ page, api }) => {
  demo.setTimeout(600_000);
  const judge = async () => (await api.query("prompts.list")).find(({ name }) => name === "demo-messages")?.id;
  await expect.poll(judge, { timeout: 60_000 }).toBeDefined();
  const isRun = async () => (await api.query("knownCalls.get", { promptId: (await judge()) ?? "" })).runs[0]?.state;
  await expect.poll(isRun, { timeout: 60_000 }).toBe("finished");
  const empty = new Set<string>();
  const judged = `/policies/prompts/${await judge()}`;
  for (const { route, address } of await pageAddresses(api)) {
    const [path = "", query] = address.split("?");
    const view = query === undefined ? "" : `?${query}`;
    await page.goto((route === "/policies/prompts/[promptId]" ? judged : path) + view);
    await expect(page.locator("h1").first()).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0, { timeout: 30_000 });
    await expect(page.getByText(/^Loading .*…$/)).toHaveCount(0, { timeout: 30_000 });
    // Titles alone: a part that is replaced at this moment has its lines in one.
    for (const title of await page.locator("[data-empty] > div > p").filter({ visible: true }).allInnerTexts())
      empty.add(`${route}${view}: ${title}`);
  }
  expect([...empty].sort()).toEqual(Object.keys(RIGHTLY_EMPTY).sort());
});
