/**
 * Every page of the console on the built programs, with every pack in force and an agent of every client: by a hard load, by a
 * click in the console, and with what opens on it. No process dies, no answer is a 5xx, and the browser's console stays empty.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Page } from "@playwright/test";
import { CLIENT_NAMES, type ClientName } from "../server/dialects/schema.ts";
import { DOCUMENTS } from "../server/documents/schema.ts";
import { expect, fresh, type Script, installation as test } from "./fixtures/console.ts";
import { commandLine, processesWith } from "./fixtures/processes.ts";
import { backtestOf } from "./pages/openings.ts";

const VECTORS = join(import.meta.dirname, "../server/dialects/vectors");
/** A recorded shell call of each client, or its payload where none was recorded over HTTP. */
const CALLS: Readonly<Record<Exclude<ClientName, "docker-agent">, readonly [event: string, file: string]>> = {
  "claude-code": ["PreToolUse", "claude-code.PreToolUse.Bash.http.json"],
  codex: ["PreToolUse", "codex.PreToolUse.Bash.json"],
  copilot: ["preToolUse", "copilot.preToolUse.bash.json"],
  cursor: ["preToolUse", "cursor.preToolUse.Shell.json"],
  gemini: ["BeforeTool", "gemini.BeforeTool.run_shell_command.json"],
  qwen: ["PreToolUse", "qwen.PreToolUse.run_shell_command.json"],
  cline: ["PreToolUse", "cline.PreToolUse.run_commands.json"],
  opencode: ["pre_tool_use", "opencode.shim.pre_tool_use.http.json"],
};
const SHELL = { cmd: "git push --force", command: "git push --force" };
const NATIVE = { session_id: "native", hook_event_name: "pre_tool_use", tool_name: "shell", tool_use_id: "1" };

/** The path below /api/v1/hooks and the body of one call. */
function callOf(client: ClientName): { path: string; body: unknown } {
  const native = { ...NATIVE, tool_input: SHELL };
  if (client === "docker-agent") return { path: "pre_tool_use", body: native };
  const [event, file] = CALLS[client];
  const { payload } = JSON.parse(readFileSync(join(VECTORS, file), "utf8")) as { payload: unknown }; // a vector
  return { path: `${client}/${event}`, body: payload };
}
/** Each pack in force for the workspace, and a call by an agent of each client. Answers the agents' ids. */
async function furnish(api: Script): Promise<readonly string[]> {
  const packs = await api.query("packs.list");
  expect(packs.length).toBeGreaterThan(5);
  for (const { id, source, title } of packs) {
    const name = fresh(title);
    const { policyId } = await api.mutate("packs.install", { packId: id, name });
    await api.mutate("policies.publishByName", { name, source, note: "in force" });
    await api.mutate("policies.assign", { policyId, scope: "workspace" });
  }
  for (const client of CLIENT_NAMES) {
    const key = await api.key(`agent of ${client}`);
    const { path, body } = callOf(client);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const asked = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${api.url}/api/v1/hooks/${path}`, asked);
    expect([client, response.status]).toEqual([client, 200]);
  }
  const all = await api.query("agents.names");
  // Another journey may have made agents of its own on this installation.
  const agents = all.filter(({ name }) => name.startsWith("agent of "));
  expect(agents).toHaveLength(CLIENT_NAMES.length);
  return agents.map(({ id }) => id);
}

const CONSOLE = join(import.meta.dirname, "../app/(console)");
const routes = readdirSync(CONSOLE, { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)page\.tsx$/.test(file))
  .map((file) => `/${relative(CONSOLE, join(CONSOLE, file)).replace(/\/?page\.tsx$/, "")}`)
  .sort();

/** The views of a page, as the end of its address. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  "/spend": ["?by=model", "?view=calls", "?view=groups&by=agent&split=model", "?view=statements"],
  "/activity/compactions": ["?view=trends"],
  "/policies/judges": ["?view=calls"],
  "/policies/[policyId]": ["?view=revisions", "?view=changes", "?view=tests", "?try=true"],
  "/policies/reviews": ["?reviews=all"],
};
const WITH_DRAWER = ["/activity", "/policies/performance", "/audit"];

/** The addresses of every page: each route, with each policy and agent for a bracket. */
async function addressesOf(api: Script, agentIds: readonly string[]): Promise<string[]> {
  const policies = await api.query("policies.list");
  const prompt = await api.mutate("prompts.create", { name: "every-page" });
  const range = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) };
  const { sessions } = await api.query("sessions.list", range);
  const [session] = sessions;
  expect(session).toBeDefined();
  const timeline = new URLSearchParams({ agent: session?.agentId ?? "", session: session?.sessionId ?? "" });
  const [policyId] = policies.map(({ id }) => id);
  if (policyId === undefined) throw new Error("no policy");
  const runId = await backtestOf(api, policyId);
  const idsOf: Readonly<Record<string, readonly string[]>> = {
    "[agentId]": agentIds,
    "[personId]": ["me"],
    "[policyId]": [policyId],
    "[promptId]": [prompt.promptId],
    "[...slug]": DOCUMENTS.map(({ slug }) => slug),
  };
  return routes.flatMap((route) => {
    const bracket = /\[[\w.]+\]/.exec(route)?.[0];
    const ids = bracket === undefined ? [""] : idsOf[bracket];
    if (ids === undefined) throw new Error(`no id for the brackets of ${route}`);
    return ids.flatMap((id) => {
      const path = (bracket === undefined ? route : route.replace(bracket, id)).replace("[runId]", runId);
      const more = route === "/activity/sessions/timeline" ? [`?${timeline}`] : (MORE[route] ?? []);
      return ["", ...more].map((address) => path + address);
    });
  });
}

const PROGRAMS = /\/(main|gateway|console|jobs|scans)\.mjs/;
const programsOf = (dataDir: string): string[] =>
  processesWith(`QUARTERDECK_DATA_DIR=${dataDir}`)
    .filter((pid) => PROGRAMS.test(commandLine(pid)))
    .map((pid) => `${pid} ${PROGRAMS.exec(commandLine(pid))?.[1]}`)
    .sort();

/** All that goes wrong in the browser, by the address where it did. */
function watch(page: Page): string[] {
  const wrong: string[] = [];
  const note = (what: string) => wrong.push(`${new URL(page.url()).pathname}: ${what}`);
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") note(message.text());
  });
  page.on("pageerror", (error) => note(String(error)));
  page.on("response", (response) => {
    if (response.status() >= 500) note(`${response.status()} ${response.url()}`);
  });
  return wrong;
}

async function settled(page: Page): Promise<void> {
  await expect(page.locator("h1").first()).toBeVisible();
  await expect(page.getByText(/^Loading .*…$/)).toHaveCount(0, { timeout: 30_000 });
}

test("every page is drawn with every pack in force and an agent of every client", async ({ page, api, server }) => {
  test.setTimeout(600_000);
  // A page that ends its process is never drawn.
  page.setDefaultTimeout(30_000);
  const agentIds = await furnish(api);
  const addresses = await addressesOf(api, agentIds);
  const before = programsOf(server.dataDir);
  expect(before.map((one) => one.split(" ")[1])).toEqual(
    expect.arrayContaining(["main", "gateway", "console", "jobs", "scans"]),
  );
  const wrong = watch(page);

  await test.step("by a hard load", async () => {
    for (const address of addresses) {
      await page.goto(address);
      await settled(page);
      if (!WITH_DRAWER.includes(address)) continue;
      // A page hears keys once it is connected, and moves among rows once they are drawn.
      await expect(page.getByText("Live", { exact: true }).first()).toBeVisible();
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("dialog")).toBeVisible();
    }
  });
  await test.step("by a click in the console", async () => {
    await page.goto("/");
    const rail = page.getByRole("navigation", { name: "Pages" });
    const places = await rail.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(places).toHaveLength(8);
    for (const place of places) {
      await rail.locator(`a[href="${place}"]`).click();
      await page.waitForURL((url) => url.pathname === new URL(place ?? "", api.url).pathname);
      await settled(page);
      const tabs = page.getByRole("navigation", { name: / tabs$/ }).getByRole("link");
      for (const tab of await tabs.evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""))) {
        await page.locator(`nav[aria-label$=" tabs"] a[href="${tab}"]`).click();
        await page.waitForURL((url) => url.pathname === tab);
        await settled(page);
      }
    }
    for (const id of agentIds) {
      await rail.getByRole("link", { name: "Agents" }).click();
      await page.locator(`a[href="/agents/${id}"]`).first().click();
      await page.waitForURL(`**/agents/${id}`);
      await settled(page);
    }
  });

  expect(wrong).toEqual([]);
  expect(programsOf(server.dataDir)).toEqual(before);
});
