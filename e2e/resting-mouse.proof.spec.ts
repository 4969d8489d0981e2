/** A person points at a row while events arrive at 3 a second: for a minute the row stays where it is and as it is. */
import type { Locator, Page } from "@playwright/test";
import { expect, fresh, type Script, test } from "./fixtures/console.ts";
import { type Sender, sender } from "./fixtures/sender.ts";

const EVENTS = 180;
const EVENTS_EACH_MS = 1_000 / 3;
const POLICY = `hooks:
  pre_tool_use:
    - matcher: ask
      hooks: [{type: builtin, command: ask_a_person, args: ["Is this meant?"]}]
`;
const MODEL_CALL = { model_id: "acme/large", cost: 0.01, usage: { input_tokens: 10, output_tokens: 5 } };

const asks = (agent: Sender, cmd: string) =>
  agent.send("pre_tool_use", { tool_name: "ask", tool_use_id: fresh("c"), tool_input: { cmd } });

interface Watched {
  /** Changes of the row, and moments when another row was under the mouse. */
  readonly changes: string[];
}

/** Rests the mouse on the row and notes what changes there. A clock that counts is not a change. */
async function rest(row: Locator): Promise<void> {
  await row.hover({ position: { x: 120, y: 12 } });
  await row.evaluate((element) => {
    const changes: string[] = [];
    (window as unknown as { resting: Watched }).resting = { changes }; // for this test alone
    const isClock = (node: Node) => {
      const parent = node instanceof Element ? node : node.parentElement;
      return parent?.closest("time, [role=timer]") != null;
    };
    new MutationObserver((records) => {
      for (const { type, target, attributeName } of records)
        if (!isClock(target)) changes.push(`${type} ${attributeName ?? ""} ${target.textContent?.slice(0, 60)}`);
    }).observe(element, { subtree: true, childList: true, characterData: true, attributes: true });
    const { x, y } = element.getBoundingClientRect();
    const look = () => {
      const under = document.elementFromPoint(x + 120, y + 12);
      if (!element.isConnected) changes.push("the row was removed");
      else if (!element.contains(under)) changes.push(`another row: ${under?.textContent?.slice(0, 60)}`);
      if (changes.length < 20) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

const changesOf = (page: Page) => page.evaluate(() => (window as unknown as { resting: Watched }).resting.changes);

/** Two agents, a new session with each second event; every fourth event is a call that a person must answer. */
async function busy(api: Script, count: number): Promise<void> {
  const agents = await Promise.all([sender(api, "busy"), sender(api, "busier")]);
  const startedAt = Date.now();
  for (let event = 0; event < count; event += 1) {
    const pair = Math.floor(event / 2);
    const agent = agents[pair % 2] ?? agents[0];
    const session = { session_id: `s${pair}` };
    if (event % 4 === 0) await asks(agent, `deploy ${event}`);
    else if (event % 4 === 1) await agent.send("after_llm_call", { ...session, ...MODEL_CALL });
    else if (event % 4 === 2) await agent.send("session_start", session);
    else await agent.send("pre_tool_use", { ...session, tool_name: "shell", tool_use_id: fresh("c"), tool_input: {} });
    const rest = startedAt + (event + 1) * EVENTS_EACH_MS - Date.now();
    if (rest > 0) await new Promise((done) => setTimeout(done, rest));
  }
}

const rowOf = (page: Page, grid: string) => page.getByRole("grid", { name: grid }).locator("[data-row]").nth(1);

const LISTS: readonly (readonly [title: string, address: string, row: (page: Page) => Locator])[] = [
  ["Calls", "/activity", (page) => rowOf(page, "calls")],
  ["Sessions", "/activity/sessions", (page) => rowOf(page, "sessions")],
  [
    "Approvals",
    "/approvals",
    (page) => page.getByRole("list", { name: "Calls to answer" }).locator(":scope > li").nth(1),
  ],
  ["Model calls", "/spend?view=calls", (page) => rowOf(page, "model calls")],
];

/** Two rows of each list, and more. */
async function fill(api: Script): Promise<void> {
  await api.mutate("policies.publishByName", { name: fresh("asking"), source: POLICY, note: "" });
  const first = await sender(api, "first");
  for (let session = 0; session < 4; session += 1) {
    const known = { session_id: `known ${session}` };
    await first.send("session_start", known);
    await first.send("pre_tool_use", { ...known, tool_name: "shell", tool_use_id: fresh("c"), tool_input: {} });
    await first.send("after_llm_call", { ...known, ...MODEL_CALL });
    await asks(first, `deploy known ${session}`);
  }
}

test("the row under a resting mouse does not change while events arrive", async ({ page, context, api }) => {
  test.setTimeout(240_000);
  await fill(api);
  const pages: [string, Page][] = [];
  for (const [title, address, row] of LISTS) {
    const tab = pages.length === 0 ? page : await context.newPage();
    await tab.goto(address);
    await expect(row(tab)).toBeVisible();
    // A tab behind another one has no mouse: its list has to hold its rows before the next tab opens.
    await expect(tab.getByRole("status").filter({ hasText: /^(Live|Updates slowed)$/ })).toBeVisible();
    await rest(row(tab));
    pages.push([title, tab]);
  }
  await busy(api, EVENTS);
  for (const [title, tab] of pages) expect.soft(await changesOf(tab), title).toEqual([]);
});

test("a mouse that rests on a row before the script is loaded holds it too", async ({ page, api }) => {
  await fill(api);
  for (const [title, address, row] of LISTS.filter(([, address]) => address !== "/approvals")) {
    let load: () => void = () => undefined;
    const loading = new Promise<void>((done) => {
      load = done;
    });
    await page.route(/\.js(\?|$)/, (route) => loading.then(() => route.continue()));
    const visit = page.goto(address);
    await expect(row(page)).toBeVisible();
    await row(page).hover({ position: { x: 120, y: 12 } });
    const rested = await row(page).getAttribute("data-row");
    load();
    await visit;
    await busy(api, 8);
    await expect(page.getByRole("button", { name: / new$/ })).toBeVisible();
    expect(await row(page).getAttribute("data-row"), title).toBe(rested);
    await page.unrouteAll();
  }
});
