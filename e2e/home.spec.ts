import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as plain } from "@playwright/test";
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { ownServer } from "./fixtures/own-server.ts";
import { PASSWORD } from "./pages/accounts.ts";

async function send(url: string, key: string, event: string, input: object): Promise<void> {
  const response = await fetch(`${url}/api/v1/hooks/${event}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "home", ...input }),
  });
  expect(response.status).toBe(200);
}

const policyAgainst = (word: string): string => `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - {name: stop ${word}, type: command, command: 'if grep -q ${word}; then echo "no ${word}" >&2; exit 2; fi'}
`;

async function deniedBy(api: Script, word: string): Promise<string> {
  const policy = { name: fresh("home policy"), source: policyAgainst(word), note: "" };
  await api.mutate("policies.publishByName", policy);
  return api.key(fresh("home agent"));
}

test("a denial reaches Home without reload and opens from there", async ({ page, api }) => {
  const word = fresh("ember").replaceAll(" ", "-");
  const key = await deniedBy(api, word);
  await send(api.url, key, "session_start", {});
  await page.goto("/?range=1h");
  await expect(page.getByRole("region", { name: "The gate" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: /^Live$/ })).toBeVisible();

  await send(api.url, key, "pre_tool_use", {
    tool_name: "shell",
    tool_use_id: word,
    tool_input: { cmd: `rm ${word}` },
  });
  const denial = page.getByRole("link").filter({ hasText: `rm ${word}` });
  await expect(denial).toContainText(`stop ${word}`);
  await expect(page.getByRole("region", { name: "The gate" })).toContainText(/tool calls? in |checks? failed/);
  await expectAccessible(page);

  await denial.click();
  await expect(page).toHaveURL(/\/activity\?.*open=/);
  await expect(page.getByRole("dialog").getByRole("region", { name: "Verdict" })).toContainText(
    `stop ${word} refused it`,
  );
});

test("each figure and each outcome opens the page with its calls, and the chart has a table behind it", async ({
  page,
  api,
}) => {
  await send(api.url, await api.key(fresh("home agent")), "session_start", {});
  await page.goto("/?range=7d");
  const main = page.getByRole("main");
  for (const [figure, href] of [
    ["Denied", "/activity?q=outcome%3Adenied_by_rule&range=7d"],
    ["No rule ran", "/activity?q=outcome%3Ano_rule_ran&range=7d"],
    ["Spend today", /^\/spend\?range=/],
  ] as const)
    await expect(main.locator("[data-card=figures]").getByRole("link").filter({ hasText: figure })).toHaveAttribute(
      "href",
      href,
    );
  const outcomes = main.getByRole("list", { name: "Outcomes" }).getByRole("link");
  await expect(outcomes).toHaveText([
    /^Denied/,
    /^Sent to a person/,
    /^Allowed by a rule/,
    /^No rule objected/,
    /^No rule ran/,
  ]);
  await expect(outcomes.filter({ hasText: "Sent to a person" })).toHaveAttribute(
    "href",
    "/activity?q=outcome%3Asent_to_person&range=7d",
  );
  await page.getByRole("button", { name: "Show the data as a table" }).click();
  await expect(page.getByRole("columnheader", { name: "Denied" })).toBeVisible();
});

test("a click on a bar opens its calls, and dragging over the chart opens the calls of a stretch", async ({
  page,
  api,
}) => {
  const word = fresh("cinder").replaceAll(" ", "-");
  const key = await deniedBy(api, word);
  await send(api.url, key, "session_start", {});
  for (const id of ["a", "b", "c"])
    await send(api.url, key, "pre_tool_use", {
      tool_name: "shell",
      tool_use_id: `${word} ${id}`,
      tool_input: { cmd: `rm ${word}` },
    });
  await page.goto("/?range=1h");
  const chart = page.locator("[data-chart=tool-calls-by-outcome]");
  const drawing = chart.locator("svg[data-drawing]");
  await expect(page.getByRole("list", { name: "Outcomes" })).toContainText("Denied by a rule3");
  await drawing.hover();
  await expect(chart.getByText(/\d\d:\d\d:\d\d – \d\d:\d\d:\d\d/)).toBeVisible();

  const downloaded = page.waitForEvent("download");
  await chart.getByRole("button", { name: "Export Tool calls by outcome" }).click();
  await page.getByRole("menuitem", { name: "PNG" }).click();
  const box = await drawing.boundingBox();
  if (!box) throw new Error("the chart is not drawn");
  // The header of a PNG holds its height: twice that of the whole drawing.
  const picture = await readFile(await (await downloaded).path());
  expect(picture.readUInt32BE(20)).toBe(Math.floor(box.height * 2));

  // The only bar of the hour is red, and as high as the chart.
  const bar = await drawing.evaluate((svg) => {
    const path = svg.querySelector<SVGPathElement>('path[fill="var(--deny-solid)"]');
    const found = path?.getBoundingClientRect();
    return found ? { x: found.x + found.width / 2, y: found.y + found.height / 2 } : null;
  });
  if (!bar) throw new Error("no bar is drawn");
  await page.mouse.click(bar.x, bar.y);
  await expect(page).toHaveURL(/\/activity\?q=outcome%3Adenied_by_rule&range=\d{4}-\d\d-/);

  await page.goto("/?range=1h");
  await drawing.hover();
  const again = await drawing.boundingBox();
  if (!again) throw new Error("the chart is not drawn again");
  const middle = again.y + again.height / 2;
  await page.mouse.move(again.x + again.width * 0.4, middle);
  await page.mouse.down();
  await page.mouse.move(again.x + again.width * 0.7, middle, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/\/activity\?range=\d{4}-\d\d-/);
});

const POLICY_THAT_ASKS = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - { type: builtin, command: ask_a_person, args: ["Is this meant for production?"] }
`;

/** A call that waits for a person, or one that is denied until a person has answered; resolves with its answer. */
async function waitingCall(
  api: Script,
  cmd: string,
  isHeld = true,
): Promise<{ agent: string; answered: Promise<string> }> {
  const agent = fresh("waiting agent");
  const key = await api.key(agent);
  const name = fresh("asks");
  await api.mutate("policies.create", { name });
  await api.mutate("policies.publishByName", { name, source: POLICY_THAT_ASKS });
  const answered = fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(isHeld && { "quarterdeck-wait-seconds": "60" }),
    },
    body: JSON.stringify({
      ...{ session_id: "home", tool_name: "shell", tool_use_id: fresh("call"), tool_input: { cmd }, cwd: "/srv" },
    }),
  }).then((response) => response.text());
  return { agent, answered };
}

test("a waiting call is allowed on Home, and another one denied with a reason", async ({ page, api }) => {
  await send(api.url, await api.key(fresh("home agent")), "session_start", {});
  await page.goto("/");
  const waiting = page.getByRole("list", { name: "Waiting for you" });
  await expect(page.getByRole("status").filter({ hasText: /^Live$/ })).toBeVisible();

  const first = await waitingCall(api, "terraform apply");
  const row = waiting.getByRole("listitem").filter({ hasText: first.agent });
  await expect(row).toContainText(/wants to use shell: terraform apply/);
  await expect(row).toContainText(/\d+ s left/);
  await expectAccessible(page);
  await row.getByRole("button", { name: /^Allow QD-\d+$/ }).click();
  expect(await first.answered).toContain('"permission_decision":"allow"');
  await expect(row).toHaveCount(0);
  await expect(page.getByText(/^QD-\d+ allowed$/)).toBeVisible();
  await expect(page.getByText(`${first.agent} wants to use shell`)).toBeVisible();

  const second = await waitingCall(api, "terraform destroy");
  const other = waiting.getByRole("listitem").filter({ hasText: second.agent });
  await other.getByRole("button", { name: /^Deny… QD-\d+$/ }).click();
  await other.getByLabel("Why not").fill("Use the staging account.");
  await other.getByRole("button", { name: "Deny", exact: true }).click();
  expect(await second.answered).toContain("Use the staging account.");
  await expect(other).toHaveCount(0);
  await expect(page.getByRole("list", { name: "Outcomes" })).toContainText("Sent to a person2");
});

test("a new row waits while the pointer is in the list, so that no button moves", async ({ page, api }) => {
  await send(api.url, await api.key(fresh("home agent")), "session_start", {});
  const ticket = await waitingCall(api, "terraform apply", false);
  await ticket.answered;
  await page.goto("/");
  const waiting = page.getByRole("list", { name: "Waiting for you" });
  const allow = waiting
    .getByRole("listitem")
    .filter({ hasText: ticket.agent })
    .getByRole("button", { name: /^Allow/ });
  await expect(page.getByRole("status").filter({ hasText: /^Live$/ })).toBeVisible();
  await allow.hover();
  const before = await allow.boundingBox();
  const urgent = await waitingCall(api, "terraform destroy");
  const more = page.getByRole("button", { name: "Show 1 new" });
  await expect(more).toBeVisible();
  expect(await allow.boundingBox()).toEqual(before);
  await more.click();
  const row = waiting.getByRole("listitem").first();
  await expect(row).toContainText(urgent.agent);
  await row.getByRole("button", { name: /^Allow/ }).click();
  expect(await urgent.answered).toContain('"permission_decision":"allow"');
});

test("nothing waits is said in one line, and cards are hidden, moved and added for good", async ({ page, api }) => {
  const key = await deniedBy(api, "rm-rf");
  await send(api.url, key, "session_start", {});
  await page.goto("/");
  await expect(page.getByText("Nothing waits for you")).toBeVisible();
  const cards = () => page.locator("[data-card]").evaluateAll((all) => all.map((one) => one.getAttribute("data-card")));
  expect(await cards()).toEqual(["figures", "outcomes", "denials", "agent_changes"]);

  await page.getByRole("button", { name: "Arrange cards" }).click();
  const dialog = page.getByRole("dialog", { name: "Arrange cards" });
  await expectAccessible(page);
  await dialog.getByRole("checkbox", { name: "Figures", exact: true }).click();
  // By keyboard: the button keeps the focus while its row moves.
  await dialog.getByRole("button", { name: "Move up Agents that changed" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("button", { name: "Move up Agents that changed" })).toBeFocused();
  await dialog.getByRole("checkbox", { name: "Most denied" }).click();
  await expect(dialog.getByText("Saved")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  const arranged = ["agent_changes", "outcomes", "denials", "most_denied"];
  await expect.poll(cards).toEqual(arranged);
  await page.reload();
  await expect.poll(cards).toEqual(arranged);

  await page.getByRole("button", { name: "Arrange cards" }).click();
  await dialog.getByRole("button", { name: "Reset" }).click();
  await expect.poll(cards).toEqual(["figures", "outcomes", "denials", "agent_changes"]);
});

test("a card that fails says so, and the others stay", async ({ page, api }) => {
  await send(api.url, await api.key(fresh("home agent")), "session_start", {});
  await page.goto("/?range=24h");
  await expect(page.getByRole("list", { name: "Outcomes" })).toBeVisible();
  // Requests travel together: one that asks for the changes may begin with another question.
  const changesAreAsked = /\/api\/trpc\/[^?]*overview\.agentChanges/;
  await page.route(changesAreAsked, (route) => route.abort());
  await page.getByRole("button", { name: /^Time range/ }).click();
  await page.getByRole("button", { name: "Last 7 days" }).click();
  const failed = page.getByRole("alert").filter({ hasText: "Agents that changed could not be loaded" });
  await expect(failed).toBeVisible();
  await expect(page.getByText("Nothing waits for you").or(page.getByText("no enforced policy")).first()).toBeVisible();
  await expectAccessible(page);
  await page.unroute(changesAreAsked);
  await failed.getByRole("button", { name: "Try again" }).click();
  await expect(failed).toBeHidden();
});

plain("a fresh installation leads to its first verdict by a checklist that checks itself off", async ({ page }) => {
  plain.setTimeout(180_000);
  const folder = await mkdtemp(join(tmpdir(), "quarterdeck-home-"));
  const server = await ownServer();
  try {
    await server.start();
    const link = /http\S+/.exec(await server.quarterdeck(["sign-in"]))?.[0] ?? "";
    await page.goto(link);
    // The first person is asked for a way in that needs no server.
    await page.getByLabel("E-mail").fill("ada@example.org");
    await page.getByLabel("New password").fill("short");
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(page.getByText("A password has at least 12 characters.")).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("New password").fill(PASSWORD);
    await page.getByLabel("Repeat the password").fill(PASSWORD);
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(page.getByRole("heading", { name: "Set up this workspace" })).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: /^Live$/ })).toBeVisible();
    await expect(page.getByRole("link", { name: "Connect an agent" })).toBeVisible();
    await expectAccessible(page);

    const step = (title: string) => page.getByRole("listitem").filter({ hasText: title });
    await expect(step("Set a password")).toContainText("Done:");
    await expect(step("Put a policy in force")).not.toContainText("Done:");
    const policy = join(folder, "first.yaml");
    await writeFile(policy, policyAgainst("rm"));
    await server.quarterdeck(["policy", "publish", policy, "--name", "first"]);
    await expect(step("Put a policy in force")).toContainText("Done:");
    const key = (await server.quarterdeck(["key", "create", "--agent", "bot"])).trim();
    await expect(step("Connect an agent")).not.toContainText("Done:");

    await send(server.url, key, "pre_tool_use", {
      tool_name: "shell",
      tool_use_id: "1",
      tool_input: { cmd: "rm -rf /" },
    });
    await expect(page.getByRole("region", { name: "The gate" })).toContainText("1 tool call in");
    await expect(page.getByRole("link").filter({ hasText: "rm -rf /" })).toContainText("stop rm");
    await expect(page.getByRole("region", { name: "Setup" })).toContainText("Setup: 3 of 8 done");
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
