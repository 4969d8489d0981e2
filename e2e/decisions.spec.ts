import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
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
  await expect(row).toContainText("Denied");
  await expect(row).toContainText(`stop ${word}`);

  await row.click();
  const verdict = decisions.drawer.getByRole("region", { name: "Verdict" });
  await expect(verdict).toContainText("Denied");
  await expect(verdict).toContainText(`stop ${word} refused it`);
  await expect(verdict).toContainText("hooks.pre_tool_use[0].hooks[0]");
  await expect(verdict).toContainText(`${word} is not allowed here.`);
  await expect(verdict.getByRole("link", { name: `${policy} revision 1` })).toHaveAttribute("href", /^\/policies\/.+/);
  await expect(verdict.getByRole("figure")).toContainText("Denied because");
  await expect(decisions.drawer.getByText("exit code 2")).toBeVisible();
  await expectAccessible(page);

  // The agent goes on all the same: the drawer learns of it and says so.
  await settle("call_1", `shred /srv/${word}`, "allow", "yolo");
  await expect(verdict).toContainText("The agent allowed the call all the same (auto-approve mode)");
  await ran("call_1", `shred /srv/${word}`);
  await expect(page.getByText("1 denied call ran all the same", { exact: false })).toBeVisible();

  // Its address opens it again, and Escape closes it.
  await page.reload();
  await expect(verdict).toContainText(`stop ${word} refused it`);
  await page.keyboard.press("Escape");
  await expect(decisions.drawer).toBeHidden();
  await expect(page).not.toHaveURL(/[?&]open=/);

  // The call is one row, with both decisions and its end, and its first cell is a link.
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("Allowed");
  await expect(row).toContainText("Ran anyway");
  await expect(row.getByRole("link")).toHaveAttribute("href", /\/decisions\?.*open=/);
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
  await expect(verdict).toContainText("Sent to the agent in these words.");
  await expect(verdict.getByRole("figure").nth(1)).toHaveText(
    "Also sent, not used because the call was refused, from pushes are asked forA person decides.",
  );
  await expect(verdict.getByRole("link", { name: "no forced push" })).toHaveAttribute("href", /view=rules&open=/);
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
  await expect(verdict).toContainText("Decided at the agent. This console was not asked.");
  await page.keyboard.press("j");
  await expect(verdict).toContainText("The tool declares itself read-only");
  await page.keyboard.press("k");
  await expect(verdict).toContainText("A person was asked");
  await page.keyboard.press("Escape");
  await expect(decisions.drawer).toBeHidden();
  // What was closed stays closed.
  await page.goBack();
  await expect(page).toHaveURL(/\/decisions\?q=(?!.*open=)/);
  await expect(decisions.drawer).toBeHidden();

  await decisions.open(`?q=${encodeURIComponent(`session:session-${word} nothing like this`)}`);
  await expect(page.getByText("No decision matches")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Clear the filter", exact: true }).last().click();
  await expect(decisions.rows(word).first()).toBeVisible();
});

test("a link to a decision that is not stored says so, and the list still works", { tag: "@proof" }, async ({
  page,
}) => {
  const decisions = new DecisionsPage(page);
  await page.goto("/decisions?open=1795300000000.0199f3b2-7a1c-7000-8000-000000000000");
  await expect(decisions.drawer.getByText("This decision is not stored")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.goto("/decisions?open=nonsense");
  await expect(decisions.drawer.getByText("This decision is not stored")).toBeVisible();
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
  const asking = page.locator("[aria-busy=true]").filter({ has: page.getByRole("grid", { name: "decisions" }) });
  await expect(asking).toBeVisible();
  await expect(page.getByText("Asking…")).toBeVisible();
  await expect(page.getByText(/^\d+ calls?$/)).toHaveCount(0);
  answer();
  await expect(page.getByText("No decision matches")).toBeVisible();
  await expect(asking).toHaveCount(0);
});
