/**
 * Takes the pictures of docs/screenshots from a running server (QUARTERDECK_URL, trusted like the command line):
 *
 *     npm start -- --demo          # in one terminal; give it a minute
 *     node scripts/screenshots.mjs # in another
 *
 * --ranges takes the charts alone, at an hour, a day and a month: of a server that has run for so long.
 * --all DIR takes every page into DIR, with what opens on it: full, empty and while the database is stopped. It is for a
 * server that is thrown away: it leaves an empty workspace behind, and for some minutes no agent is answered.
 * --only NAME takes of these the pages whose name begins so. --state STATE takes one state: full, empty, failing, offline,
 * read-only, long-names or public.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import superjson from "superjson";
import { findBrowser } from "./browser.mjs";
import { joinAs, makeNamed } from "./picture-states.mjs";
import { main, Refusal, ROOT, run, say } from "./project.mjs";

const PAGES = {
  overview: "/?range=24h",
  decisions: "/activity?range=24h",
  costs: "/spend?range=24h",
  compactions: "/activity/compactions?range=24h",
  policies: "/policies",
  packs: "/policies/packs",
  judges: "/policies/judges?range=24h",
  policy: "/policies",
  agents: "/agents",
  sessions: "/activity/sessions?range=24h",
  budgets: "/spend/budgets",
  alerts: "/settings/alerts",
};
const CHARTS = {
  overview: "/?",
  settled: "/activity/approval-paths?",
  rules: "/policies/performance?",
  costs: "/spend?",
  trends: "/activity/compactions?view=trends&",
};
const RANGES = ["1h", "24h", "30d"];
const SIZES = { 1440: 900, 390: 844 };

const row = async (page) => {
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
};
const press = (name) => async (page) => {
  await page.getByRole("button", { name }).first().click();
  await page.locator("[role=dialog], [role=alertdialog]").first().waitFor();
};
const keys = (pressed) => async (page) => {
  await page.keyboard.press(pressed);
  await page.getByRole("dialog").waitFor();
};

/** Every page with its views: an address, and with what opens on it, how. [name] is looked up in the workspace. */
const EVERY_PAGE = {
  overview: ["/?range=24h"],
  palette: ["/?range=24h", keys("ControlOrMeta+k")],
  shortcuts: ["/?range=24h", keys("?")],
  decisions: ["/activity?range=24h"],
  "decisions-denied": ["/activity?range=24h&q=verdict:deny"],
  "decision-drawer": ["/activity?range=24h&q=verdict:deny", row],
  "approval-sources": ["/activity/approval-paths?range=24h"],
  rules: ["/policies/performance?range=24h"],
  "rule-drawer": ["/policies/performance?range=24h", row],
  sessions: ["/activity/sessions?range=24h"],
  timeline: ["/activity/sessions/timeline?[session]"],
  compactions: ["/activity/compactions?range=24h"],
  "compaction-drawer": ["/activity/compactions?range=24h", row],
  "compactions-trends": ["/activity/compactions?view=trends&range=24h"],
  alerts: ["/settings/alerts"],
  "alert-new": ["/settings/alerts", press("New alert")],
  policies: ["/policies"],
  "policy-new": ["/policies", press("New policy")],
  "policy-import": ["/policies", press("Import…")],
  packs: ["/policies/packs"],
  "policies-rules": ["/policies/rules"],
  policy: ["/policies/[policy]"],
  "policy-tests": ["/policies/[policy]?view=tests"],
  "policy-changes": ["/policies/[policy]?view=changes"],
  "policy-revisions": ["/policies/[policy]?view=revisions"],
  "policy-revision": ["/policies/[policy]?view=revisions&revision=1"],
  "policy-playground": ["/policies/[policy]?try=true"],
  judges: ["/policies/judges?range=24h"],
  "judges-calls": ["/policies/judges?view=calls&range=24h"],
  "judges-connection-new": ["/policies/judges", press("New connection")],
  prompts: ["/policies/prompts"],
  prompt: ["/policies/prompts/[prompt]"],
  "prompt-trials": ["/policies/prompts/[prompt]?view=trials"],
  "prompt-compare": ["/policies/prompts/[prompt]?view=compare"],
  "prompt-revisions": ["/policies/prompts/[prompt]?view=revisions"],
  agents: ["/agents"],
  "agent-new": ["/agents", press("New agent")],
  agent: ["/agents/[agent]"],
  clients: ["/agents/clients"],
  approvals: ["/approvals"],
  "approvals-answered": ["/approvals/answered"],
  exceptions: ["/approvals/exceptions"],
  groups: ["/agents/groups"],
  enrolment: ["/agents/enrolment"],
  reviews: ["/policies/reviews"],
  halts: ["/audit/halts"],
  "halt-new": ["/audit/halts", press("Stop agents…")],
  costs: ["/spend?range=24h"],
  "costs-groups": ["/spend?view=groups&by=agent&split=model&range=24h"],
  "costs-sessions": ["/spend?view=sessions&range=24h"],
  "costs-calls": ["/spend?view=calls&range=24h"],
  "costs-prices": ["/spend/prices"],
  "costs-statements": ["/spend?view=statements"],
  budgets: ["/spend/budgets"],
  "budget-new": ["/spend/budgets", press("New budget")],
  "budget-drawer": [
    "/spend/budgets",
    async (page) => {
      await page.getByRole("list", { name: "Budgets" }).getByRole("button").first().click();
      await page.getByRole("dialog").waitFor();
    },
  ],
  audit: ["/audit"],
  "audit-entry": ["/audit", row],
  "audit-proof": ["/audit/proof"],
  "audit-evidence": ["/audit/evidence"],
  "data-lifecycle": ["/settings/data"],
  health: ["/settings/health"],
  notices: ["/notices"],
  notifications: ["/settings/notifications"],
  settings: ["/settings"],
  "settings-people": ["/settings/people"],
  "settings-sign-on": ["/settings/sign-on"],
  "approvals-answerers": ["/approvals/answerers"],
  "settings-calendar": ["/settings/calendar"],
  "settings-webhooks": ["/settings/webhooks"],
  "not-found": ["/nowhere"],
};
const PUBLIC_PAGES = {
  "sign-in": ["/sign-in"],
  "sign-in-link-used": ["/sign-in?token=used"],
  reset: ["/sign-in/reset?token=used"],
  invite: ["/invite?token=used"],
};
/** Of the tallest pages the top says enough. */
const HEIGHT_MAX = 2_600;
/** For a page whose server does not answer: it asks three times. */
const FAILURE_MS = 60_000;

/** Nothing is asked for, and no place is held for what is to come. */
const isWhole = () => document.querySelector('[aria-busy="true"], [aria-hidden].animate-late') === null;
/** Charts are brought after the page. */
const isDrawn = () =>
  document.querySelector('[aria-busy="true"]') === null &&
  (location.search.includes("view=rules") || document.querySelector("[data-drawing]") !== null);

const { values: flags } = parseArgs({
  options: {
    ranges: { type: "boolean" },
    all: { type: "string" },
    only: { type: "string" },
    state: { type: "string" },
  },
});

await main(async () => {
  const { code, output } = await run(process.execPath, [join(ROOT, "scripts/quarterdeck.mjs"), "sign-in"]);
  const link = /https?:\/\/\S+/.exec(output)?.[0];
  if (code !== 0 || link === undefined) throw new Refusal(output.trim());
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    if (flags.all !== undefined) await takeAll(browser, link, resolve(flags.all));
    else await takeDocumentation(browser, link);
  } finally {
    await browser.close();
  }
});

async function signIn(page, link) {
  await page.goto(link);
  await page.getByRole("button", { name: "Not now" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
}

async function takeDocumentation(browser, link) {
  const page = await browser.newPage();
  await signIn(page, link);
  if (flags.ranges) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    for (const [name, path] of Object.entries(CHARTS))
      for (const range of RANGES) await shoot(page, name, `${path}range=${range}`, `charts-${name}-${range}`, isDrawn);
    return;
  }
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const [width, height] of Object.entries(SIZES)) {
      await page.setViewportSize({ width: Number(width), height });
      for (const [name, path] of Object.entries(PAGES))
        await shoot(page, name, path, `${name}-${width}-${colorScheme}`);
    }
  }
}

/** Waits for the page's own skeletons to be gone, not for a time. */
async function shoot(page, name, path, file, isReady = isWhole) {
  await page.goto(new URL(path, page.url()).href);
  if (name === "policy") {
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.locator(".cm-content").waitFor();
  }
  await page.waitForFunction(isReady);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(ROOT, "docs/screenshots", `${file}.jpg`), type: "jpeg", quality: 74 });
}

async function takeAll(browser, link, folder) {
  mkdirSync(folder, { recursive: true });
  const troubles = [];
  const owner = await newPage(browser, troubles);
  const page = owner;
  await signIn(page, link);
  const { workspaceId } = await query(page, "access.me");
  const ids = await idsOf(page);
  const isAsked = (state) => flags.state === undefined || flags.state === state;
  const walk = async (state, pages, go, known, page = owner) => {
    if (!isAsked(state)) return;
    for (const [name, [path, open]] of Object.entries(pages)) {
      if (!name.startsWith(flags.only ?? "")) continue;
      const address = path.replace(/\[(\w+)\]/g, (text, id) => known[id] ?? text);
      // Nothing of the kind exists.
      if (address.includes("[")) continue;
      await look(page, folder, `${state}-${name}`, () => go(address, open), troubles);
    }
  };
  const visitOn = (page) => async (address, open) => {
    await page.goto(new URL(address, owner.url()).href);
    await settle(page);
    // Without a row there is nothing to open.
    if (open) await open(page).catch(() => undefined);
  };
  const visit = visitOn(owner);
  await walk("full", EVERY_PAGE, visit, ids);
  const inNewWorkspace = async (name, work) => {
    const made = await mutate(page, "access.createWorkspace", { name });
    await mutate(page, "access.switchWorkspace", { workspaceId: made.workspaceId });
    await work();
    await mutate(page, "access.switchWorkspace", { workspaceId });
  };
  if (isAsked("empty"))
    await inNewWorkspace("Nothing yet", async () => walk("empty", EVERY_PAGE, visit, await idsOf(page)));
  if (isAsked("long-names"))
    await inNewWorkspace("Long names", async () => {
      await makeNamed(page, mutate);
      await walk("long-names", EVERY_PAGE, visit, await idsOf(page));
    });
  if (isAsked("read-only")) {
    const viewer = await joinAs({ role: "viewer", page, newPage: () => newPage(browser, troubles), mutate });
    await walk("read-only", EVERY_PAGE, visitOn(viewer), ids, viewer);
  }
  const loseConnection = async (address, open) => {
    await page.context().setOffline(false);
    await visit(address);
    await page.context().setOffline(true);
    await page
      .getByRole("status")
      .getByText(/^Stale/)
      .waitFor({ state: "attached", timeout: FAILURE_MS });
    if (open) await open(page).catch(() => undefined);
  };
  await walk("offline", EVERY_PAGE, loseConnection, ids);
  await page.context().setOffline(false);
  if (isAsked("failing")) {
    await page.goto(new URL("/settings", page.url()).href);
    await settle(page);
    await whileDatabaseIsStopped(async () => {
      // A page that stands goes on to another, as a click does: the frame is there, and what the page needs is not.
      const follow = async (address) => {
        await page.evaluate((to) => window.next.router.push(to), address);
        await page.waitForURL((url) => `${url.pathname}${url.search}` === address, { timeout: FAILURE_MS });
        await page.getByRole("alert").first().waitFor({ timeout: FAILURE_MS });
      };
      const views = Object.entries(EVERY_PAGE).filter(([, [, open]]) => open === undefined);
      await walk("failing", Object.fromEntries(views), follow, ids);
      await walk("failing", { unavailable: ["/activity"] }, visit, ids);
    });
  }
  await page.context().clearCookies();
  await walk("public", PUBLIC_PAGES, visit, {});
  writeFileSync(join(folder, "troubles.txt"), troubles.map((line) => `${line}\n`).join(""));
  say(`${troubles.length} troubles, in ${join(folder, "troubles.txt")}`);
}

/** Collects what the browser complains of; a request that fails is its own line of each stopped page. */
async function newPage(browser, troubles) {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  const complain = (text) => troubles.push(`${new URL(page.url()).pathname}: ${text}`);
  page.on("pageerror", (error) => complain(`threw ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complain(`${message.type()} ${message.text()}`);
  });
  return page;
}

/** A page that never gets whole is pictured as it is, and said. */
async function settle(page) {
  await page.waitForFunction(isWhole, undefined, { timeout: FAILURE_MS });
  await page.evaluate(() => document.fonts.ready);
}

/** One load, and four pictures of it: both sizes in both themes, each as tall as the page. */
async function look(page, folder, name, arrive, troubles) {
  try {
    await page.setViewportSize({ width: 1440, height: 900 });
    await arrive();
    await settle(page);
  } catch (error) {
    troubles.push(`${name}: ${String(error).split("\n")[0]}`);
  }
  for (const [width, height] of Object.entries(SIZES)) {
    await page.setViewportSize({ width: Number(width), height });
    const { tall, wide } = await page.evaluate(sizeOfContent);
    if (wide > Number(width)) troubles.push(`${name}: ${wide} px wide on a screen of ${width}`);
    await page.setViewportSize({ width: Number(width), height: Math.min(HEIGHT_MAX, height + tall) });
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      // Charts draw themselves again for their new size.
      await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 250)));
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
    }
  }
}

/** The height that scrolls out of sight, of the page or of what lies over it, and the page's width. */
function sizeOfContent() {
  const over = document.querySelector("[role=dialog], [role=alertdialog]");
  const boxes = [...(over ?? document).querySelectorAll("*")].filter(
    (box) => /auto|scroll/.test(getComputedStyle(box).overflowY) && box.clientWidth > innerWidth / 4,
  );
  return {
    tall: Math.max(0, ...boxes.map((box) => box.scrollHeight - box.clientHeight)),
    wide: document.documentElement.scrollWidth,
  };
}

async function query(page, path, input) {
  const text = encodeURIComponent(JSON.stringify(superjson.serialize(input)));
  return outputOf(await page.request.get(new URL(`/api/trpc/${path}?input=${text}`, page.url()).href));
}

async function mutate(page, path, input) {
  const { origin } = new URL(page.url());
  return outputOf(
    await page.request.post(`${origin}/api/trpc/${path}`, { headers: { origin }, data: superjson.serialize(input) }),
  );
}

async function outputOf(response) {
  const { result, error } = await response.json();
  if (result === undefined) throw new Refusal(error?.json?.message ?? `HTTP ${response.status()}`);
  return superjson.deserialize(result.data);
}

/** The stand-ins for the names in brackets, as far as they exist. */
async function idsOf(page) {
  const range = { from: new Date(Date.now() - 24 * 3_600_000), to: new Date() };
  const [policies, { sessions }, agents, prompts] = await Promise.all([
    query(page, "policies.list"),
    query(page, "sessions.list", range),
    query(page, "agents.names"),
    query(page, "prompts.list"),
  ]);
  const session = sessions.at(-1);
  return {
    policy: policies.find(({ latestRevision }) => latestRevision > 0)?.id,
    session: session && String(new URLSearchParams({ agent: session.agentId, session: session.sessionId })),
    agent: agents[0]?.id,
    prompt: prompts[0]?.id,
  };
}

/** As a database on a hung machine: its connections stand, and it says nothing. */
async function whileDatabaseIsStopped(work) {
  const data = process.env.QUARTERDECK_DATA_DIR ?? join(ROOT, ".quarterdeck");
  const postmaster = Number(readFileSync(join(data, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
  process.kill(postmaster, "SIGSTOP");
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").trim().split(" ");
  const stopped = [...children.filter(Boolean).map(Number), postmaster];
  for (const pid of stopped) process.kill(pid, "SIGSTOP");
  try {
    await work();
  } finally {
    for (const pid of stopped) process.kill(pid, "SIGCONT");
  }
}
