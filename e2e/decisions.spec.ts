import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { csvRows } from "./fixtures/csv-rows.ts";
import { sender } from "./fixtures/sender.ts";
import { DecisionsPage } from "./pages/decisions.ts";

/** An agent under a policy that denies what holds `word`; both this test's own. */
async function governed(api: Script) {
  const word = fresh("danger").replaceAll(" ", "-");
  const policy = fresh("guard");
  const source = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - name: stop ${word}
          type: command
          command: 'if grep -q ${word}; then echo "${word} is not allowed here." >&2; exit 2; fi'
`;
  await api.mutate("policies.publishByName", { name: policy, source, note: "" });
  const agent = fresh("bot");
  const key = await api.key(agent);
  const send = async (event: string, input: object) => {
    const response = await fetch(`${api.url}/api/v1/hooks/${event}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: `session-${word}`, tool_name: "shell", ...input }),
    });
    expect(response.status).toBe(200);
  };
  const ask = (id: string, cmd: string) => send("pre_tool_use", { tool_use_id: id, tool_input: { cmd } });
  const ran = (id: string, cmd: string) => send("post_tool_use", { tool_use_id: id, tool_input: { cmd } });
  const settle = (id: string, cmd: string, approval_decision: string, approval_source: string) =>
    send("on_tool_approval_decision", { tool_use_id: id, tool_input: { cmd }, approval_decision, approval_source });
  return { word, policy, agent, ask, settle, ran };
}

test("a denial appears without reload, and its drawer says which hook of which policy denied", async ({
  page,
  api,
}) => {
  const { word, policy, ask, settle, ran } = await governed(api);
  const decisions = new DecisionsPage(page);
  await decisions.open();

  await ask("call_1", `shred /srv/${word}`);
  const row = decisions.rows(`shred /srv/${word}`);
  await expect(row).toBeVisible();
  await expect(row).toContainText(`Denied by stop ${word}`);

  await row.click();
  const verdict = decisions.drawer.getByRole("region", { name: "Verdict" });
  await expect(verdict).toContainText("Denied");
  await expect(verdict).toContainText(`stop ${word} refused it`);
  // The list of hooks names the event. The path is in its tooltip.
  await expect(verdict).not.toContainText("hooks.pre_tool_use[0].hooks[0]");
  await expect(decisions.drawer.getByText("hooks.pre_tool_use[0].hooks[0]")).toHaveCount(0);
  await expect(decisions.drawer.getByRole("button", { name: "Before a tool runs" }).first()).toBeVisible();
  await expect(verdict).toContainText(`${word} is not allowed here.`);
  await expect(verdict.getByRole("link", { name: `${policy} revision 1` })).toHaveAttribute("href", /^\/policies\/.+/);
  await expect(verdict.getByRole("figure")).toContainText("Denied because");
  await expect(decisions.drawer.getByText("exit code 2")).toBeVisible();
  await expectAccessible(page);

  // The agent goes on all the same: the drawer learns of it and says so.
  await settle("call_1", `shred /srv/${word}`, "allow", "yolo");
  await expect(verdict).toContainText("The agent allowed the call anyway (auto-approve mode)");
  await ran("call_1", `shred /srv/${word}`);
  await expect(page.getByText("1 denied call ran: the agent did not obey", { exact: false })).toBeVisible();

  // Its address opens it again, and Escape closes it.
  await page.reload();
  await expect(verdict).toContainText(`stop ${word} refused it`);
  await page.keyboard.press("Escape");
  await expect(decisions.drawer).toBeHidden();
  await expect(page).not.toHaveURL(/[?&]open=/);

  // The call is one row, with both decisions and its end, and its first cell is a link.
  await expect(row).toHaveCount(1);
  await expect(row).toContainText(`Denied by stop ${word}`);
  await expect(row).toContainText("Ran anyway");
  await page.getByRole("button", { name: "Choose columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Agent's decision" }).click();
  await page.keyboard.press("Escape");
  await expect(row).toContainText("Allowed: auto-approve mode");
  await expect(row.getByRole("link")).toHaveAttribute("href", /\/activity\?.*open=/);
});

test("a denial shows the words of the rule that denied, not those of a rule that only asks", { tag: "@proof" }, async ({
  page,
  api,
}) => {
  const specific = { permission_decision: "ask", permission_decision_reason: "A person decides." };
  const source = `hooks:
  pre_tool_use:
    - hooks:
        - name: pushes are asked for
          type: command
          command: |
            echo '${JSON.stringify({ hook_specific_output: specific })}'
        - name: no forced push
          type: command
          command: 'echo "Open a pull request." >&2; exit 2'
`;
  await api.mutate("policies.publishByName", { name: fresh("guard"), source, note: "" });
  const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${await api.key(fresh("bot"))}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_use_id: "c", tool_name: "shell", tool_input: { cmd: "git push -f" } }),
  });
  expect(await response.json()).toMatchObject({ decision: "block", reason: "Open a pull request." });

  const decisions = new DecisionsPage(page);
  await decisions.open();
  await decisions.rows("git push -f").click();
  const verdict = decisions.drawer.getByRole("region", { name: "Verdict" });
  await expect(verdict.getByRole("figure").nth(0)).toHaveText("Denied becauseOpen a pull request.");
  await expect(verdict).toContainText("The agent received exactly the text above.");
  await expect(verdict.getByRole("figure").nth(1)).toHaveText(
    "Also sent, but the agent does not use it because the call was denied, from pushes are asked forA person decides.",
  );
  await expect(verdict.getByRole("link", { name: "no forced push" })).toHaveAttribute(
    "href",
    /\/policies\/performance\?open=/,
  );
  await page.goto("/");
  await expect(page.getByRole("link", { name: /git push -f/ })).toContainText("no forced push: Open a pull request");
});

test("chips in the URL narrow the list, and the list is walked by keyboard", async ({ page, api }) => {
  const { word, agent, ask, settle } = await governed(api);
  await ask("call_1", `shred ${word}`);
  await settle("call_1", `shred ${word}`, "deny", "pre_tool_use_hook_deny");
  await settle("call_2", `ls 100%_${word}`, "allow", "readonly_hint");
  await settle("call_3", `cat ${word}`, "deny", "user_rejected");
  const decisions = new DecisionsPage(page);
  await decisions.open(`?q=${encodeURIComponent(`agent:"${agent}"`)}`);
  // One row a call, whatever was decided about it.
  await expect(decisions.rows(word)).toHaveCount(3);
  await expect(page.getByText("3 calls")).toBeVisible();

  // The completion offers real values with their counts.
  await page.keyboard.press("/");
  await page.keyboard.type("verdict:de");
  await page.getByRole("option", { name: /verdict: deny/ }).click();
  await expect(decisions.rows(word)).toHaveCount(2);
  await decisions.filterBy("by:gate");
  await expect(decisions.rows(word)).toHaveCount(1);
  await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe(`agent:"${agent}" verdict:deny by:gate`);

  // Wildcards are letters like any other.
  await decisions.open(`?q=${encodeURIComponent(`agent:"${agent}" 0%_`)}`);
  await expect(decisions.rows(word)).toHaveCount(1);
  await decisions.open(`?q=${encodeURIComponent(`agent:"${agent}" %`)}&sort=oldest`);
  await expect(decisions.rows(word)).toHaveCount(1);
  await decisions.open(`?q=${encodeURIComponent(`agent:"${agent}"`)}`);

  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const verdict = decisions.drawer.getByRole("region", { name: "Verdict" });
  await expect(verdict).toContainText("A person was asked and rejected this call.");
  await expect(verdict).toContainText("The agent decided by itself and did not ask this console.");
  await page.keyboard.press("j");
  await expect(verdict).toContainText("The tool declares itself read-only");
  await page.keyboard.press("k");
  await expect(verdict).toContainText("A person was asked");
  await page.keyboard.press("Escape");
  await expect(decisions.drawer).toBeHidden();
  // What was closed stays closed.
  await page.goBack();
  await expect(page).toHaveURL(/\/activity\?q=(?!.*open=)/);
  await expect(decisions.drawer).toBeHidden();

  await decisions.open(`?q=${encodeURIComponent(`session:session-${word} nothing like this`)}`);
  await expect(page.getByText("No matching calls", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Clear the filter", exact: true }).last().click();
  await expect(decisions.rows(word).first()).toBeVisible();
});

test("a link to a decision that is not stored says so, and the list still works", { tag: "@proof" }, async ({
  page,
}) => {
  const decisions = new DecisionsPage(page);
  await page.goto("/activity?open=1795300000000.0199f3b2-7a1c-7000-8000-000000000000");
  await expect(decisions.drawer.getByText("This call is not stored")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.goto("/activity?open=nonsense");
  await expect(decisions.drawer.getByText("This call is not stored")).toBeVisible();
});

test("a changed filter dims the rows of the one before until it is answered", { tag: "@proof" }, async ({
  page,
  api,
}) => {
  const { word, ask } = await governed(api);
  await ask("call_1", `shred /srv/${word}`);
  const decisions = new DecisionsPage(page);
  await decisions.open();
  await expect(decisions.rows(word)).toBeVisible();
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/api\/trpc\/[^?]*decisions\.calls\b/, async (route) => {
    await held;
    await route.continue();
  });

  await decisions.filterBy("policy:none");
  const asking = page.locator("[aria-busy=true]").filter({ has: page.getByRole("grid", { name: "calls" }) });
  await expect(asking).toBeVisible();
  await expect(page.getByText("Loading…")).toBeVisible();
  await expect(page.getByText(/^\d+ calls?$/)).toHaveCount(0);
  answer();
  await expect(page.getByText("No matching calls", { exact: true })).toBeVisible();
  await expect(asking).toHaveCount(0);
});

/** An agent whose shell may not shred. */
async function guarded(api: Script) {
  const word = fresh("report").replaceAll(" ", "-");
  const source = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - name: no shredding
          type: command
          command: "if grep -q shred; then echo 'Keep it.' >&2; exit 2; fi"
`;
  await api.mutate("policies.publishByName", { name: fresh("guard"), source, note: "" });
  const { agent, send } = await sender(api, "laptop");
  const ask = (id: string, cmd: string) =>
    send("pre_tool_use", { tool_name: "shell", tool_use_id: id, tool_input: { cmd } });
  return { word, agent, ask, send };
}

test("every call is a row with one outcome, and the chart, the presets and the CSV show the same calls", async ({
  page,
  api,
}) => {
  const { word, agent, ask, send } = await guarded(api);
  await ask("call_1", `shred ${word}`);
  await ask("call_2", `ls ${word}`);
  await send("claude-code/pre_tool_use", {
    ...{ hook_event_name: "PreToolUse", transcript_path: "/t.jsonl", cwd: "/srv", permission_mode: "default" },
    ...{ tool_name: "Read", tool_use_id: "call_3", tool_input: { file_path: `/srv/${word}.md` } },
  });
  const decisions = new DecisionsPage(page);
  await decisions.open(`?range=1h&q=${word}`);
  await expect(decisions.rows(`shred ${word}`)).toContainText("Denied by no shredding");
  await expect(decisions.rows(`ls ${word}`)).toContainText("No rule objected");
  await expect(decisions.rows(`${word}.md`)).toContainText("No rule ran");
  const chart = page.getByRole("figure").filter({ hasText: "Calls by outcome" });
  const counted = (outcome: string, count: number) =>
    expect(chart.getByRole("button", { name: new RegExp(`^${outcome}\\s*${count}$`) })).toBeVisible();
  await counted("Denied", 1);
  await counted("No rule objected", 1);
  await counted("No rule ran", 1);
  await expectAccessible(page);

  // The chart follows the filter.
  await decisions.filterBy(`${word} outcome:silent`);
  await expect(decisions.rows(word)).toHaveCount(1);
  await counted("Denied", 0);
  await counted("No rule objected", 1);
  await decisions.open(`?range=1h&q=${encodeURIComponent(`agent:"${agent}"`)}`);
  await counted("Denied", 1);
  await page.getByRole("link", { name: "No rule ran", exact: true }).click();
  await expect(page.getByRole("link", { name: "No rule ran", exact: true })).toHaveAttribute("aria-current", "true");
  await expect(decisions.rows(`${word}.md`)).toBeVisible();
  await expect(decisions.rows(`ls ${word}`)).toHaveCount(0);

  await decisions.open(`?range=1h&q=${word}`);
  await expect(decisions.rows(word)).toHaveCount(3);
  await page.getByRole("button", { name: "Copy rows" }).click();
  const downloads = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download all matching calls as CSV, at most 100,000" }).click();
  const file = await (await downloads).createReadStream();
  const parts: Buffer[] = [];
  for await (const part of file) parts.push(Buffer.from(part));
  const rows = csvRows(Buffer.concat(parts).toString("utf8"));
  expect(rows.map(({ call, outcome }) => [call, outcome])).toEqual([
    [`/srv/${word}.md`, "no_rule"],
    [`ls ${word}`, "silent"],
    [`shred ${word}`, "denied"],
  ]);

  await decisions.rows(`shred ${word}`).click();
  const foot = decisions.drawer.getByRole("contentinfo").or(decisions.drawer.locator("footer"));
  await expect(foot.getByRole("button", { name: "Evidence for this call" })).toBeVisible();
  await expect(foot.getByRole("button", { name: "Stop session…" })).toBeVisible();
  await expect(foot.getByRole("link", { name: "Open session" })).toBeVisible();
  await expect(foot.getByRole("link", { name: "Add an exception…" })).toBeVisible();
  await expectAccessible(page);
});

test("the list holds still under the pointer, and says aloud what is new", async ({ page, api }) => {
  const { word, ask } = await guarded(api);
  for (const n of [1, 2, 3]) await ask(`call_${n}`, `ls ${word} ${n}`);
  const decisions = new DecisionsPage(page);
  await decisions.open("?range=1h");
  await expect(decisions.rows(word)).toHaveCount(3);
  const first = decisions.rows(word).first();
  await first.hover();
  await ask("call_4", `shred ${word} 4`);
  await ask("call_5", `ls ${word} 5`);
  await expect(page.getByRole("button", { name: "2 new" })).toBeVisible();
  await expect(first).toContainText(`ls ${word} 3`);
  await expect(decisions.rows(word)).toHaveCount(3);
  await expect(page.getByRole("status", { name: "New calls" })).toHaveText(/^\d new calls?, [01] denied$/);
  await page.getByRole("button", { name: "2 new" }).click();
  await expect(decisions.rows(word)).toHaveCount(5);

  // Elsewhere the pointer holds nothing.
  await page.mouse.move(2, 2);
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Calls", level: 1 }).click();
  await ask("call_6", `ls ${word} 6`);
  await expect(first).toContainText(`ls ${word} 6`);
});

test("waiting calls are answered together, each by itself", async ({ page, api }) => {
  const word = fresh("release").replaceAll(" ", "-");
  const source = `hooks:
  pre_tool_use:
    - matcher: "^(deploy|wipe)$"
      hooks:
        - { type: builtin, command: ask_a_person, args: ["For production?"] }
`;
  await api.mutate("policies.publishByName", { name: fresh("people"), source, note: "" });
  const { send } = await sender(api, "worker");
  const call = (id: string, tool_name = "deploy") =>
    send("pre_tool_use", { tool_name, tool_use_id: id, tool_input: { cmd: `${word} ${id}` }, cwd: "/srv" });
  for (const id of ["one", "two", "three"]) await call(id);
  await call("other", "ls");
  const decisions = new DecisionsPage(page);
  await decisions.open("?range=1h&q=outcome:waiting");
  await expect(decisions.rows(word)).toHaveCount(3);
  await expect(decisions.rows(`${word} one`)).toContainText(/Waiting for a person, QD-\d+/);
  await expect(decisions.rows(`${word} one`).getByRole("link", { name: /Waiting/ })).toHaveAttribute(
    "href",
    /^\/approvals.*#QD-\d+$/,
  );

  await decisions.rows(`${word} three`).getByRole("checkbox").click();
  await decisions
    .rows(`${word} one`)
    .getByRole("checkbox")
    .click({ modifiers: ["Shift"] });
  const bar = page.getByRole("region", { name: "Selected calls" });
  await expect(bar).toContainText("3 selected · 3 calls waiting for a person");
  await decisions.rows(`${word} two`).focus();
  await page.keyboard.press("x");
  await expect(bar).toContainText("2 selected");
  await expectAccessible(page);
  await bar.getByRole("button", { name: "Allow…" }).click();
  const dialog = page.getByRole("dialog", { name: "Allow 2 calls?" });
  await expect(dialog.getByRole("list", { name: "Calls" }).getByRole("listitem")).toHaveCount(2);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Allow 2 calls" }).click();
  const results = page.getByRole("dialog", { name: "Results of 2 calls" });
  await expect(results.getByText("Allowed", { exact: true })).toHaveCount(2);
  await results.getByRole("button", { name: "Close" }).last().click();
  await expect(decisions.rows(word)).toHaveCount(1);
  await expect(bar).toBeHidden();

  await decisions.rows(`${word} two`).getByRole("checkbox").click();
  await bar.getByRole("button", { name: "Deny…" }).click();
  const denial = page.getByRole("dialog", { name: "Deny 1 call?" });
  await denial.getByRole("button", { name: "Deny 1 call" }).click();
  await expect(denial).toContainText("Enter a one-line reason.");
  await denial.getByLabel("Reason").fill("Not on a Friday");
  await denial.getByRole("button", { name: "Deny 1 call" }).click();
  await page.getByRole("dialog", { name: "Results of 1 call" }).getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByText("No matching calls", { exact: true })).toBeVisible();
  await decisions.open(`?range=1h&q=${word}`);
  await expect(decisions.rows(`${word} two`)).toContainText(/Denied by .+, QD-\d+/);
  await expect(decisions.rows(`${word} one`)).toContainText(/Retry allowed by .+, QD-\d+/);
});

test("on a phone new calls wait behind a button, so that no row moves", async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { word, ask } = await governed(api);
  await ask("call_1", `echo first-${word}`);
  await page.addInitScript(() => {
    const shifts: number[] = [];
    // Holds: entries of this type have a value; the types of the DOM do not name it.
    const shiftOf = (entry: PerformanceEntry) => (entry as PerformanceEntry & { readonly value: number }).value;
    new PerformanceObserver((list) => shifts.push(...list.getEntries().map(shiftOf))).observe({
      type: "layout-shift",
      buffered: true,
    });
    Object.assign(globalThis, { shifts });
  });
  await page.goto("/activity");
  const cards = page.getByRole("list", { name: "calls" }).getByRole("listitem");
  await expect(cards.filter({ hasText: `first-${word}` })).toBeVisible();

  await ask("call_2", `echo second-${word}`);
  const arrived = page.getByRole("button", { name: "1 new" });
  await expect(arrived).toBeVisible();
  await expect(cards.filter({ hasText: `second-${word}` })).toBeHidden();
  const moved = await page.evaluate(() =>
    // Holds: the script above sets it.
    (globalThis as unknown as { readonly shifts: readonly number[] }).shifts.reduce((sum, each) => sum + each, 0),
  );
  expect(moved).toBeLessThanOrEqual(0.05);

  await arrived.click();
  await expect(cards.first()).toContainText(`second-${word}`);
});
