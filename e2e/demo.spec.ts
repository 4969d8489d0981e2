/**
 * A newcomer starts with --demo, sees every page alive, and clears it away with one click. Before and after, axe looks at every
 * page of the console: in both themes, full and empty, with what opens on it open.
 */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { Page } from "@playwright/test";
import type { SessionRef } from "../server/sessions/schema.ts";
import { expect, expectAccessible, patient, script, test } from "./fixtures/console.ts";
import { type OwnServer, ownServer } from "./fixtures/own-server.ts";

interface Opening {
  readonly what: string;
  /** Beyond the path: what the address says is open. */
  readonly address?: string;
  readonly open?: (page: Page) => Promise<void>;
  /** Nothing of the kind exists once the demo data is gone. */
  readonly needsData?: true;
}

const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
};
/** The first row's own drawer, by keyboard. */
const firstRow = async (page: Page) => {
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
};
const row = { what: "a row's drawer", open: firstRow, needsData: true } as const;

/** Every page below app/(console), and what can be open on it. A page that is not here fails. */
const PAGES: Readonly<Record<string, readonly Opening[]>> = {
  "/": [
    { what: "the palette", open: (page) => opened(page, "ControlOrMeta+k") },
    { what: "the shortcuts", open: (page) => opened(page, "?") },
  ],
  "/decisions": [
    row,
    { what: "paused", address: "?range=1h&at=2026-01-01T00:00:00.000Z" },
    { what: "its saved views", address: "", open: press("Saved views") },
    { what: "how calls passed", address: "?view=settled" },
    { what: "its rules", address: "?view=rules" },
    { what: "a rule", open: firstRow, needsData: true },
  ],
  "/budgets": [
    { what: "a new budget", open: press("New budget") },
    {
      what: "a budget",
      address: "",
      open: async (page) => {
        await page.getByRole("list", { name: "Budgets" }).getByRole("button").first().click();
        await expect(page.getByRole("dialog")).toBeVisible();
      },
      needsData: true,
    },
  ],
  "/sessions": [],
  "/sessions/timeline": [{ what: "a session", address: "?[session]", needsData: true }],
  "/costs": [
    { what: "its models", address: "?by=model" },
    { what: "its calls", address: "?view=calls" },
    { what: "its groups", address: "?view=groups&by=agent&split=model" },
    { what: "its prices", address: "?view=prices" },
    { what: "a price list", address: "?view=prices", open: press("Write a price list") },
    { what: "its statements", address: "?view=statements" },
  ],
  "/alerts": [{ what: "a new alert", open: press("New alert") }],
  "/compactions": [row, { what: "its trends", address: "?view=trends" }],
  "/policies": [
    { what: "a new policy", open: press("New policy") },
    { what: "an import", open: press("Import…") },
    { what: "the packs", open: press("Packs") },
  ],
  "/policies/rules": [],
  "/policies/[policyId]": [
    { what: "its revisions", address: "?view=revisions", needsData: true },
    { what: "a revision", address: "?view=revisions&revision=1", needsData: true },
    { what: "its changes", address: "?view=changes", needsData: true },
    { what: "its tests", address: "?view=tests", needsData: true },
    { what: "the bench", address: "?try=true", needsData: true },
    { what: "its publication", open: press("Publish…"), needsData: true },
    { what: "whom it binds", open: press("Change"), needsData: true },
  ],
  "/judges": [
    { what: "a new connection", open: press("New connection") },
    { what: "its calls", address: "?view=calls" },
  ],
  "/judges/prompts": [{ what: "a new prompt", open: press(/New prompt/) }],
  "/judges/prompts/[promptId]": [],
  "/agents": [{ what: "a new agent", open: press("New agent") }, row],
  "/settings": [
    { what: "people", address: "?tab=people" },
    { what: "service accounts", address: "?tab=services" },
    { what: "webhooks", address: "?tab=webhooks" },
    { what: "a new webhook", open: press("New webhook") },
    { what: "health", address: "?tab=health" },
  ],
  "/audit": [row],
};

const AS_IT_IS = "as it is";

async function opened(page: Page, keys: string): Promise<void> {
  await page.keyboard.press(keys);
  await expect(page.getByRole("dialog")).toBeVisible();
}

const CONSOLE = join(import.meta.dirname, "../app/(console)");
const routes = readdirSync(CONSOLE, { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)page\.tsx$/.test(file))
  .map((file) => `/${relative(CONSOLE, join(CONSOLE, file)).replace(/\/?page\.tsx$/, "")}`)
  .filter((route) => !route.includes("("));

test("every page of the console is looked at", () => {
  expect(routes.length).toBeGreaterThan(8);
  expect(routes.filter((route) => !Object.hasOwn(PAGES, route))).toEqual([]);
});

test.describe("a demo, from its start to its end", () => {
  test.describe.configure({ mode: "serial", timeout: 600_000 });
  let server: OwnServer;
  let page: Page;
  let ids: Readonly<Record<string, string>>;
  const alive = { timeout: 60_000 };

  test.beforeAll(async ({ browser }) => {
    server = await ownServer();
    await server.start("--demo");
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
    page = patient(await context.newPage());
  });
  test.afterAll(() => server.close());

  test("every page is alive within a minute, and marked as a demo", async () => {
    await page.goto((await server.quarterdeck(["sign-in"])).trim());
    await expect(page.getByText("This workspace holds demo data")).toBeVisible(alive);
    await expect(page.getByText(/gate calls answered/)).toBeVisible(alive);
    for (const [path, shows] of [
      ["decisions", "no bulk delete"],
      ["costs", "anthropic/claude-sonnet-4-5"],
      ["compactions", "steered"],
      ["budgets", "Demo - releases"],
      ["sessions", "demo-bugfix"],
      ["policies", "Demo - safe shell"],
      ["agents", "demo-bugfix"],
    ] as const) {
      await page.goto(`${server.url}/${path}`);
      await expect(page.getByText(shows).first()).toBeVisible(alive);
    }
    ids = await idsOf(server);
  });

  test("full, axe finds nothing on any page, nor on what opens on it, in either theme", async () => {
    expect(await walk(page, server.url, ids, true)).toEqual([]);
  });

  test("one click empties it", async () => {
    await page.goto(server.url);
    await page.getByRole("button", { name: "Remove demo data" }).click();
    await expect(page.getByText("This workspace holds demo data")).toBeHidden();
    const stats = JSON.parse(await server.quarterdeck(["stats", "--json"]));
    expect(stats.overall.event_count).toBe(0);
    await page.goto(`${server.url}/policies`);
    await expect(page.getByText("Demo - safe shell")).toBeHidden();
  });

  test("empty, axe finds nothing on any page in either theme", async () => {
    expect(await walk(page, server.url, ids, false)).toEqual([]);
  });
});

/** What stands for the brackets of a path. */
async function idsOf({ url, dataDir }: OwnServer): Promise<Readonly<Record<string, string>>> {
  const api = await script({ url, dataDir });
  const policies = (await api.query("policies.list")) as { id: string; latestRevision: number }[]; // policyView
  const { promptId } = (await api.mutate("prompts.create", { name: "axe" })) as { promptId: string }; // promptById
  const range = { from: new Date(Date.now() - 24 * 3_600_000), to: new Date() };
  const { sessions } = (await api.query("sessions.list", range)) as { sessions: SessionRef[] }; // sessionsView
  const of = sessions.map(({ agentId, sessionId }) => new URLSearchParams({ agent: agentId, session: sessionId }));
  return {
    "[session]": String(of.at(-1) ?? ""),
    "[policyId]": policies.find(({ latestRevision }) => latestRevision > 0)?.id ?? "",
    "[promptId]": promptId,
  };
}

/** One load a page and one more for each address; the theme changes where it stands. */
async function walk(page: Page, url: string, ids: Readonly<Record<string, string>>, hasData: boolean) {
  const wrong: string[] = [];
  const look = async (where: string) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
      // Between the themes only colours change.
      const rules = colorScheme === "dark" ? ["color-contrast", "link-in-text-block"] : undefined;
      await expectAccessible(page, rules).catch((error: unknown) => {
        wrong.push(`${where}, ${colorScheme}${hasData ? "" : ", empty"}: ${String(error).slice(0, 1_500)}`);
      });
    }
  };
  for (const route of routes) {
    const path = route.replace(/\[\w+\]/g, (name) => ids[name] ?? name);
    const visit = async (address = "") => {
      await page.goto(url + path + address.replace(/\[\w+\]/g, (name) => ids[name] ?? name));
      await expect(page.locator("h1").first()).toBeVisible();
      await expect(page.getByText(/^Loading .*…$/)).toHaveCount(0, { timeout: 30_000 });
    };
    const steps: readonly Opening[] = [{ what: AS_IT_IS, address: "" }, ...(PAGES[route] ?? [])];
    for (const { what, address, open, needsData } of steps) {
      // Without data the pages differ; what opens on them does not.
      if (!hasData && (needsData || what !== AS_IT_IS)) continue;
      try {
        if (address !== undefined) await visit(address);
        await open?.(page);
        await look(`${route}, ${what}`);
        if (open) await page.keyboard.press("Escape");
      } catch (error) {
        wrong.push(`${route}, ${what}: ${String(error).slice(0, 500)}`);
        await visit();
      }
    }
  }
  return wrong;
}
