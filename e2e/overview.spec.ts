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
    body: JSON.stringify({ session_id: "overview", ...input }),
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
  const policy = { name: fresh("overview policy"), source: policyAgainst(word), note: "" };
  await api.mutate("policies.publishByName", policy);
  return api.key(fresh("overview agent"));
}

test("a denial reaches the overview without reload and opens from there", async ({ page, api }) => {
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
  await expect(page.getByRole("region", { name: "The gate" })).toContainText(/tool calls? checked|hooks? failed/);
  await expectAccessible(page);

  await denial.click();
  await expect(page).toHaveURL(/\/decisions\?.*open=/);
  await expect(page.getByRole("dialog").getByRole("region", { name: "Verdict" })).toContainText(
    `stop ${word} refused it`,
  );
});

test("the chart has a table behind it, and every figure opens the page that explains it", async ({ page, api }) => {
  await send(api.url, await api.key(fresh("overview agent")), "session_start", {});
  await page.goto("/");
  const main = page.getByRole("main");
  for (const [figure, path] of [
    ["Denied by policy", "/decisions"],
    ["No rule ran", "/policies"],
    ["Spend", "/costs"],
    ["Compactions", "/compactions"],
  ] as const)
    await expect(main.getByRole("link").filter({ hasText: figure }).first()).toHaveAttribute(
      "href",
      new RegExp(`^${path}`),
    );
  await page.getByRole("button", { name: "Show as a table" }).click();
  await expect(page.getByRole("columnheader", { name: "Denied by policy" })).toBeVisible();
});

test("pointing at a chart reads an instant, and dragging over it takes a stretch", { tag: "@proof" }, async ({
  page,
  api,
}) => {
  const word = fresh("cinder").replaceAll(" ", "-");
  const key = await deniedBy(api, word);
  await send(api.url, key, "session_start", {});
  await send(api.url, key, "pre_tool_use", {
    tool_name: "shell",
    tool_use_id: word,
    tool_input: { cmd: `rm ${word}` },
  });
  await page.goto("/?range=1h");
  const chart = page.locator("[data-chart=decisions]");
  const drawing = chart.locator("svg[data-drawing]");
  await drawing.hover();
  await expect(chart.getByText(/\d\d:\d\d:\d\d – \d\d:\d\d:\d\d/)).toBeVisible();

  const downloaded = page.waitForEvent("download");
  await chart.getByRole("button", { name: "Export Decisions" }).click();
  await page.getByRole("menuitem", { name: "PNG" }).click();
  const box = await drawing.boundingBox();
  if (!box) throw new Error("the chart is not drawn");
  // The header of a PNG holds its height: twice that of the whole drawing.
  const picture = await readFile(await (await downloaded).path());
  expect(picture.readUInt32BE(20)).toBe(Math.floor(box.height * 2));

  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.4, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, middle, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/range=\d{4}-\d\d-/);
});

plain("a fresh installation leads to its first verdict in three steps that tick themselves off", async ({ page }) => {
  plain.setTimeout(180_000);
  const folder = await mkdtemp(join(tmpdir(), "quarterdeck-overview-"));
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
    await expect(page.getByRole("heading", { name: "Three steps to the first verdict" })).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: /^Live$/ })).toBeVisible();
    await expect(page.getByText(`curl -sS ${server.url}/api/v1/hooks/pre_tool_use`)).toBeVisible();
    await expectAccessible(page);

    const step = (title: string) => page.getByRole("listitem").filter({ hasText: title });
    await expect(step("Publish a policy")).not.toContainText("Done:");
    const policy = join(folder, "first.yaml");
    await writeFile(policy, policyAgainst("rm"));
    await server.quarterdeck(["policy", "publish", policy, "--name", "first"]);
    await expect(step("Publish a policy")).toContainText("Done:");
    const key = (await server.quarterdeck(["key", "create", "--agent", "bot"])).trim();
    await expect(step("Create an agent")).toContainText("Done:");
    await expect(page.getByText("Waiting for it.")).toBeVisible();

    await send(server.url, key, "pre_tool_use", {
      tool_name: "shell",
      tool_use_id: "1",
      tool_input: { cmd: "rm -rf /" },
    });
    await expect(page.getByRole("region", { name: "The gate" })).toContainText("1 tool call checked");
    await expect(page.getByRole("link").filter({ hasText: "rm -rf /" })).toContainText("stop rm");
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
