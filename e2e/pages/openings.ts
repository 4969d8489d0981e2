/** Every page of the console, what can be open on it, and the walk on which axe looks at them. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, fresh, type Script } from "../fixtures/console.ts";
import { policyText, showText } from "./policy-editor.ts";

interface Opening {
  readonly what: string;
  /** Beyond the path: what the address says is open. */
  readonly address?: string;
  readonly open?: (page: Page) => Promise<void>;
}

const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
};
/** A text with a change in it can be published. */
const publication = async (page: Page) => {
  await showText(page);
  await policyText(page).click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(" ");
  await press("Publish…")(page);
};
/** The first row's own drawer, by keyboard. */
const firstRow = async (page: Page) => {
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
};
const row = { what: "a row's drawer", open: firstRow };

/** Every page below app/(console), and what can be open on it. A page that is not here fails. */
export const PAGES: Readonly<Record<string, readonly Opening[]>> = {
  "/": [
    { what: "the palette", open: (page) => opened(page, "ControlOrMeta+k") },
    { what: "the shortcuts", open: (page) => opened(page, "?") },
  ],
  "/activity": [
    row,
    { what: "paused", address: "?range=1h&at=2026-01-01T00:00:00.000Z" },
    { what: "its saved views", address: "", open: press("Saved views") },
  ],
  "/activity/approval-paths": [],
  "/activity/sessions": [],
  "/activity/sessions/timeline": [{ what: "a session", address: "?[session]" }],
  "/activity/compactions": [row, { what: "its trends", address: "?view=trends" }],
  "/approvals": [],
  "/approvals/answered": [],
  "/approvals/answerers": [],
  "/approvals/exceptions": [],
  "/policies": [
    { what: "a new policy", open: press("New policy") },
    { what: "an import", open: press("Import…") },
  ],
  "/policies/packs": [],
  "/policies/judges": [
    { what: "a new connection", open: press("New connection") },
    { what: "its calls", address: "?view=calls" },
  ],
  "/policies/prompts": [{ what: "a new prompt", open: press(/New prompt/) }],
  "/policies/prompts/[promptId]": [],
  "/policies/reviews": [{ what: "all reviews", address: "?reviews=all" }],
  "/policies/performance": [{ what: "a rule", open: firstRow }],
  "/policies/rules": [],
  "/policies/[policyId]": [
    { what: "its revisions", address: "?view=revisions" },
    { what: "a revision", address: "?view=revisions&revision=1" },
    { what: "its changes", address: "?view=changes" },
    { what: "its tests", address: "?view=tests" },
    { what: "the playground", address: "?try=true" },
    { what: "its publication", open: publication },
    { what: "its assignments", open: press("Edit assignments") },
  ],
  "/policies/[policyId]/backtests": [],
  "/policies/[policyId]/backtests/[runId]": [],
  "/agents": [{ what: "a new agent", open: (page) => opened(page, "c") }],
  "/agents/[agentId]": [],
  "/agents/clients": [],
  "/agents/people": [],
  "/agents/people/[personId]": [{ what: "a merge", open: press("Merge…") }],
  "/agents/login": [],
  "/agents/enrolment": [{ what: "a new token", open: press("New token") }],
  "/agents/groups": [{ what: "a new group", open: press("New group") }],
  "/agents/connect": [{ what: "a chosen client", address: "?client=claude-code" }],
  "/agents/tools": [],
  "/agents/extensions": [{ what: "the rule for accepted versions", open: press("Rule…") }],
  "/docs": [],
  "/docs/[...slug]": [],
  "/spend": [
    { what: "its models", address: "?by=model" },
    { what: "its calls", address: "?view=calls" },
    { what: "its groups", address: "?view=groups&by=agent&split=model" },
    { what: "its statements", address: "?view=statements" },
  ],
  "/spend/budgets": [
    { what: "a new budget", open: press("New budget") },
    {
      what: "a budget",
      address: "",
      open: async (page) => {
        await page.getByRole("list", { name: "Budgets" }).getByRole("button").first().click();
        await expect(page.getByRole("dialog")).toBeVisible();
      },
    },
  ],
  "/spend/prices": [{ what: "a price list", open: press("Create a price list") }],
  "/audit": [row],
  "/audit/evidence": [],
  "/audit/halts": [
    {
      what: "a new halt",
      open: async (page) => {
        await page.getByRole("button", { name: "Stop agents…", exact: true }).click();
        await expect(page.getByRole("alertdialog")).toBeVisible();
      },
    },
  ],
  "/audit/proof": [],
  "/notices": [],
  "/settings": [],
  "/settings/alerts": [{ what: "a new alert", open: press("New alert") }],
  "/settings/calendar": [],
  "/settings/data": [],
  "/settings/health": [],
  "/settings/notifications": [],
  "/settings/people": [],
  "/settings/publishing": [],
  "/settings/sign-on": [],
  "/settings/streams": [{ what: "a new stream", open: press("New stream") }],
  "/settings/webhooks": [{ what: "a new webhook", open: press("New webhook") }],
};

const AS_IT_IS = "as it is";

async function opened(page: Page, keys: string): Promise<void> {
  await page.keyboard.press(keys);
  await expect(page.getByRole("dialog")).toBeVisible();
}

const CONSOLE = join(import.meta.dirname, "../../app/(console)");
export const routes = readdirSync(CONSOLE, { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)page\.tsx$/.test(file))
  .map((file) => `/${relative(CONSOLE, join(CONSOLE, file)).replace(/\/?page\.tsx$/, "")}`)
  .filter((route) => !route.includes("("));

/** The pages are looked at in this many parts, so that the workers share them. */
const PARTS = 4;
export const parts = Array.from({ length: PARTS }, (_, part) => ({
  name: `(${part + 1} of ${PARTS})`,
  own: routes.filter((_, index) => index % PARTS === part),
}));

/** The stand-in for the brackets of a path. */
async function idsOf(api: Script): Promise<Readonly<Record<string, string>>> {
  const policies = await api.query("policies.list");
  const { promptId } = await api.mutate("prompts.create", { name: fresh("axe").replaceAll(" ", "-") });
  const range = { from: new Date(Date.now() - 24 * 3_600_000), to: new Date() };
  const { sessions } = await api.query("sessions.list", range);
  const of = sessions.map(({ agentId, sessionId }) => new URLSearchParams({ agent: agentId, session: sessionId }));
  const [agent] = await api.query("agents.names");
  if (agent) await api.mutate("principals.setOwner", { agentId: agent.id, owner: { kind: "service", name: "axe" } });
  const [person] = await api.query("principals.people");
  const policyId = policies.find(({ latestRevision }) => latestRevision > 0)?.id ?? NOTHING;
  return {
    "[agentId]": agent?.id ?? "",
    "[personId]": person?.id ?? NOTHING,
    "[...slug]": "concepts",
    "[session]": String(of.at(-1) ?? ""),
    "[policyId]": policyId,
    "[runId]": policyId === NOTHING ? NOTHING : await backtestOf(api, policyId),
    "[promptId]": promptId,
  };
}

/** No policy and no backtest has this id. */
const NOTHING = "00000000-0000-4000-8000-000000000000";

export async function backtestOf(api: Script, policyId: string): Promise<string> {
  const { draftVersion } = await api.query("policies.get", { policyId });
  return (await api.mutate("backtest.start", { policyId, draftVersion, days: 7, isQuick: true })).id;
}

/** Each route of the console with the addresses of one page of it: as it is, and with what an address opens. */
export async function pageAddresses(api: Script): Promise<{ route: string; address: string }[]> {
  const ids = await idsOf(api);
  return routes.flatMap((route) =>
    ["", ...(PAGES[route] ?? []).flatMap(({ address }) => address || [])].map((open) => ({
      route,
      address: (route + open).replace(/\[[.\w]+\]/g, (name) => ids[name] ?? name),
    })),
  );
}

interface Walk {
  readonly page: Page;
  readonly api: Script;
  /** The routes to visit. */
  readonly own: readonly string[];
  readonly themes: readonly ("light" | "dark")[];
  readonly hasData: boolean;
  /** Without it, each page is looked at as it is. */
  readonly withOpenings: boolean;
}

/** The violations found: one load a page and one more for each address; the theme changes on the loaded page. */
export async function walk({ page, api, own, themes, hasData, withOpenings }: Walk): Promise<string[]> {
  // An opening that is not there is one violation, and the walk goes on.
  page.setDefaultTimeout(30_000);
  const ids = await idsOf(api);
  const wrong: string[] = [];
  const look = async (where: string) => {
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
      // Between the themes only colours change.
      const rules = colorScheme === "dark" ? ["color-contrast", "link-in-text-block"] : undefined;
      await expectAccessible(page, rules).catch((error: unknown) => {
        wrong.push(`${where}, ${colorScheme}${hasData ? "" : ", empty"}: ${String(error).slice(0, 1_500)}`);
      });
    }
  };
  for (const route of own) {
    const path = route.replace(/\[[.\w]+\]/g, (name) => ids[name] ?? name);
    const visit = async (address = "") => {
      await page.goto(path + address.replace(/\[[.\w]+\]/g, (name) => ids[name] ?? name));
      await expect(page.locator("h1").first()).toBeVisible();
      await expect(page.getByText(/^Loading .*…$/)).toHaveCount(0, { timeout: 30_000 });
    };
    const steps: readonly Opening[] = [{ what: AS_IT_IS, address: "" }, ...(PAGES[route] ?? [])];
    for (const { what, address, open } of steps) {
      if (!withOpenings && what !== AS_IT_IS) continue;
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
