/**
 * Takes the pictures of docs/screenshots from a running server (QUARTERDECK_URL, trusted like the command line):
 *
 *     npm start -- --demo          # in one terminal; give it a minute
 *     node scripts/screenshots.mjs # in another
 *
 * --ranges takes the charts alone, at an hour, a day and a month: of a server that has run for so long.
 * --all DIR takes every page into DIR, with what opens on it: full, empty and while the database is stopped. It is for a
 * server that is thrown away: it leaves an empty workspace behind, and for some minutes no agent is answered.
 * --only NAME takes of these the pages whose name begins so, --only NAME,NAME those of several. --state STATE takes one state: full, empty, failing, slow,
 * offline, read-only, long-names, zoomed or public. --look 390-dark takes one of the four pictures
 * of each, and --look 390-light,1440-dark two.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import superjson from "superjson";
import { findBrowser } from "./browser.mjs";
import { EVERY_PAGE, PUBLIC_PAGES } from "./picture-pages.mjs";
import { joinAs, makeNamed } from "./picture-states.mjs";
import { openWire } from "./picture-wire.mjs";
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
/** A window of 1440 pixels at 200 %. */
const ZOOMED = { 720: 450 };

/** Nothing is opened on them. */
const PLAIN_PAGES = Object.fromEntries(Object.entries(EVERY_PAGE).filter(([, [, open]]) => open === undefined));
/** Of the tallest pages the top says enough. */
const HEIGHT_MAX = 2_600;
/** For a page whose server does not answer: it asks three times. */
const FAILURE_MS = 60_000;
/** Pages that lose their connection together: each waits ten seconds before it says that it is stale. */
const OFFLINE_TABS = 12;
/** For a dialog to open: without a row there is none. */
const OPENING_MS = 8_000;

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
    look: { type: "string" },
  },
});
const looks = flags.look?.split(",");
const isLookedAt = (part) => looks === undefined || looks.some((one) => one.startsWith(part));

await main(async () => {
  const { code, output } = await run(process.execPath, [join(ROOT, "scripts/quarterdeck.mjs"), "sign-in"]);
  const link = /https?:\/\/\S+/.exec(output)?.[0];
  if (code !== 0 || link === undefined) throw new Refusal(output.trim());
  const server = new URL(link);
  const wire = await openWire(server);
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      `--host-resolver-rules=MAP ${server.hostname}:${server.port || 80} 127.0.0.1:${wire.port}`,
    ],
  });
  try {
    if (flags.all !== undefined) await takeAll({ browser, wire }, link, resolve(flags.all));
    else await takeDocumentation(browser, link);
  } finally {
    await browser.close();
  }
});

async function signIn(page, link) {
  await page.goto(link);
  await page.getByRole("button", { name: "Not now" }).click({ timeout: FAILURE_MS });
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"), { timeout: FAILURE_MS });
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

async function takeAll({ browser, wire }, link, folder) {
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
    for (const { name, address, open } of chosen(pages, known))
      await look(page, { folder, name: `${state}-${name}`, state, arrive: () => go(address, open), troubles });
  };
  const visitOn = (page) => async (address, open) => {
    await page.goto(new URL(address, owner.url()).href, { timeout: FAILURE_MS });
    await settle(page);
    // Without a row there is nothing to open.
    if (open)
      await open(page).then(
        () => settle(page),
        () => undefined,
      );
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
  if (isAsked("slow")) {
    // Every answer is on its way: what is drawn by then is pictured.
    await page.route("**/api/trpc/**", (route) => new Promise(() => route));
    const begin = async (address) => {
      await page.goto(new URL(address, page.url()).href, { waitUntil: "domcontentloaded", timeout: FAILURE_MS });
      await page.evaluate(() => document.fonts.ready);
    };
    await walk("slow", PLAIN_PAGES, begin, ids);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  }
  await walk("zoomed", PLAIN_PAGES, visit, ids);
  if (isAsked("offline")) {
    // A page that is not found has no connection to lose.
    const { "not-found": _, ...connected } = PLAIN_PAGES;
    await takeOffline({ owner, wire, visitOn, pages: chosen(connected, ids), folder, troubles });
  }
  if (isAsked("failing")) {
    await page.goto(new URL("/settings", page.url()).href);
    await settle(page);
    await whileDatabaseIsStopped(async () => {
      // A page that stands goes on to another, as a click does: the frame is there, and what the page needs is not.
      const follow = async (address) => {
        await page.evaluate((to) => window.next.router.push(to), address);
        await page.waitForURL((url) => `${url.pathname}${url.search}` === address, { timeout: FAILURE_MS });
        await page.getByRole("alert").first().waitFor({ timeout: FAILURE_MS });
        await settle(page);
      };
      await walk("failing", PLAIN_PAGES, follow, ids);
      await walk("failing", { unavailable: ["/activity"] }, visit, ids);
    });
  }
  if (isAsked("public")) {
    const links = await linksOf(page, () => newPage(browser, troubles));
    await page.context().clearCookies();
    await walk("public", PUBLIC_PAGES, visit, links);
  }
  writeFileSync(join(folder, "troubles.txt"), troubles.map((line) => `${line}\n`).join(""));
  say(`${troubles.length} troubles, in ${join(folder, "troubles.txt")}`);
}

/** The pages that --only asks for, with the addresses of what exists in the workspace. */
function chosen(pages, known) {
  return Object.entries(pages)
    .filter(([name]) => (flags.only ?? "").split(",").some((begin) => name.startsWith(begin)))
    .map(([name, [path, open]]) => ({
      name,
      open,
      address: path.replace(/\[(\w+)\]/g, (text, id) => known[id] ?? text),
    }))
    .filter(({ address }) => !address.includes("["));
}

/** Loads some pages, cuts their connection, and pictures each when it says that it is stale. */
async function takeOffline({ owner, wire, visitOn, pages, folder, troubles }) {
  const context = owner.context();
  for (let first = 0; first < pages.length; first += OFFLINE_TABS) {
    const tabs = [];
    for (const { name, address } of pages.slice(first, first + OFFLINE_TABS)) {
      const page = watched(await context.newPage(), troubles);
      // What a narrower or wider page brings later could not be brought any more.
      await page.setViewportSize(firstSize());
      const arrived = visitOn(page)(address).catch((error) => troubles.push(`offline-${name}: ${error}`));
      tabs.push({ name: `offline-${name}`, page, arrived });
    }
    await Promise.all(tabs.map(({ arrived }) => arrived));
    await context.setOffline(true);
    if (wire.cut() === 0) throw new Refusal("No connection went over the wire, so none was cut.");
    for (const { name, page } of tabs) {
      await look(page, { folder, name, state: "offline", arrive: () => untilStale(page), troubles });
      await page.close();
    }
    wire.mend();
    await context.setOffline(false);
  }
}

/** A narrow page has the words where they are not seen. */
async function untilStale(page) {
  await page
    .locator("[role=status]")
    .getByText(/^Stale/)
    .first()
    .waitFor({ state: "attached", timeout: FAILURE_MS });
}

async function newPage(browser, troubles) {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  return watched(await context.newPage(), troubles);
}

/** Collects what the browser complains of; a request that fails is its own line of each stopped page. */
function watched(page, troubles) {
  page.setDefaultTimeout(OPENING_MS);
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

function sizesOf(state) {
  return state === "zoomed" ? ZOOMED : SIZES;
}

function firstSize(state) {
  const [width, height] = Object.entries(sizesOf(state)).find(([each]) => isLookedAt(each));
  return { width: Number(width), height };
}

/** One load, and pictures of it: each size in both themes, each as tall as the page. */
async function look(page, { folder, name, state, arrive, troubles }) {
  const sizes = Object.entries(sizesOf(state));
  try {
    await page.setViewportSize(firstSize(state));
    await arrive();
  } catch (error) {
    troubles.push(`${name}: ${String(error).split("\n")[0]}`);
  }
  for (const [width, height] of sizes) {
    if (!isLookedAt(width)) continue;
    await page.setViewportSize({ width: Number(width), height });
    const { tall, wide } = await page.evaluate(sizeOfContent);
    if (wide > Number(width)) troubles.push(`${name}: ${wide} px wide on a screen of ${width}`);
    await page.setViewportSize({ width: Number(width), height: Math.min(HEIGHT_MAX, height + tall) });
    for (const colorScheme of ["light", "dark"].filter((one) => isLookedAt(`${width}-${one}`))) {
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
  const [policies, { sessions }, agents, prompts, people] = await Promise.all([
    query(page, "policies.list"),
    query(page, "sessions.list", range),
    query(page, "agents.names"),
    query(page, "prompts.list"),
    query(page, "principals.people"),
  ]);
  const session = sessions.toSorted((a, b) => b.events - a.events)[0];
  const policy = policies.find(({ latestRevision }) => latestRevision > 0)?.id;
  const backtests = policy === undefined ? [] : await query(page, "backtest.list", { policyId: policy });
  return {
    policy,
    backtest: backtests[0]?.id,
    session: session && String(new URLSearchParams({ agent: session.agentId, session: session.sessionId })),
    agent: agents[0]?.id,
    prompt: prompts[0]?.id,
    person: people[0]?.id,
  };
}

/** The queries of links that have not been used: an invitation, and a new password of a person who joined. */
async function linksOf(page, newPage) {
  await joinAs({ role: "viewer", page, newPage, mutate });
  const people = await query(page, "people.list", {});
  const { personId } = people.find(({ name }) => name === "viewer");
  const { link: reset } = await mutate(page, "people.createResetLink", { personId });
  const { link: invite } = await mutate(page, "people.invite", { email: "new-person@example.org", role: "author" });
  return Object.fromEntries(
    Object.entries({ reset, invite }).map(([name, link]) => [name, new URL(link).search.slice(1)]),
  );
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
