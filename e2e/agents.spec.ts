import { execFile } from "node:child_process";
import { parse } from "yaml";
import { expect, expectAccessible, found, fresh, type Script, test } from "./fixtures/console.ts";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a hook command the way docker-agent does: under a shell, the input on stdin. */
function run(command: string, key: string, cmd: string): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, HOME: "/nonexistent", QUARTERDECK_KEY: key };
    const child = execFile("/bin/sh", ["-c", command], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.on("error", () => undefined); // a hook may end before it reads
    child.stdin?.end(JSON.stringify({ session_id: "e2e", tool_name: "shell", tool_input: { cmd } }));
  });
}

interface Hook {
  readonly command: string;
}
type Hooks = Record<"turn_end", Hook[]> & Record<"pre_tool_use", { preempt_yolo?: boolean; hooks: Hook[] }[]>;

/** The commands of the snippet that the console shows, for a gate on each lane and an observer. */
async function snippet(api: Script, url: string) {
  const { hooks } = await api.query("agents.enrolment", { profile: "2026-07", url });
  const block = (parse(hooks) as { hooks: Hooks }).hooks; // our own text
  const gate = (preempt: boolean) => block.pre_tool_use.find((entry) => (entry.preempt_yolo ?? false) === preempt);
  return {
    gate: gate(false)?.hooks[0]?.command ?? "",
    preemptGate: gate(true)?.hooks[0]?.command ?? "",
    observer: block.turn_end[0]?.command ?? "",
  };
}

const VERDICTS = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - type: command
          command: |
            input=$(cat)
            case "$input" in
              *ask-me*) echo '{"hook_specific_output":{"permission_decision":"ask","permission_decision_reason":"a person decides"}}';;
              *let-me*) echo '{"hook_specific_output":{"permission_decision":"allow","permission_decision_reason":"harmless"}}';;
              *stop-me*) echo "not here" >&2; exit 2;;
            esac
    - matcher: shell
      preempt_yolo: true
      hooks:
        - {type: command, command: 'if grep -q never-ever; then echo "never" >&2; exit 2; fi'}
`;

test("an agent is created, its key is shown once, and it is enrolled, judged and shut out", async ({ page, api }) => {
  const name = fresh("ci");
  await page.goto("/agents?do=create");
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create agent" }).click();
  const key = (await page.getByTestId("new-key").textContent()) ?? "";
  expect(key).toMatch(/^qd_[0-9A-Za-z]{43}_[0-9a-f]{64}$/);
  await expect(page.getByText("Hooks for docker-agent").first()).toBeVisible();
  await page.getByRole("tab", { name: "Plain curl" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(key)).toHaveCount(0);
  await page.reload();
  await expect(page.getByText(name)).toBeVisible();
  expect(await page.content()).not.toContain(key);

  const policy = fresh("verdicts");
  await api.mutate("policies.publishByName", { name: policy, source: VERDICTS });
  const { gate, preemptGate, observer } = await snippet(api, api.url);
  const verdict = async (command: string, cmd: string) => {
    const { code, stdout } = await run(command, key, cmd);
    expect(code).toBe(0);
    return JSON.parse(stdout) as unknown;
  };
  expect(await verdict(gate, "let-me")).toMatchObject({ hook_specific_output: { permission_decision: "allow" } });
  expect(await verdict(gate, "ask-me")).toMatchObject({ hook_specific_output: { permission_decision: "ask" } });
  expect(await verdict(gate, "stop-me")).toMatchObject({ decision: "block", reason: "not here" });
  expect(await verdict(gate, "never-ever")).toEqual({});
  expect(await verdict(preemptGate, "never-ever")).toMatchObject({ decision: "block", reason: "never" });
  expect(await run(observer, key, "")).toMatchObject({ code: 0, stderr: "" });

  // The policy that governs the agent is on the page without a reload.
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByText("current", { exact: true })).toBeVisible();
  await expect(page.getByRole("tab", { selected: true }).first()).toBeAttached();
  // It begins at its top, though the tabs are further down than the window reaches.
  await expect(page.getByRole("heading", { level: 2, name: "Status" })).toBeInViewport();
  await expectAccessible(page);

  // Revoked: shut at once where it could block, silent where it could not.
  await page.getByRole("button", { name: /Revoke the key/ }).click();
  await expect(page.getByText(/This is the only key of/)).toBeVisible();
  const revoke = page.getByRole("button", { name: "Revoke key", exact: true });
  await revoke.click();
  await expect(page.getByRole("main").getByText("revoked", { exact: true })).toBeVisible();
  // Undone: the same key opens again.
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("works again")).toBeVisible();
  expect((await run(gate, key, "let-me")).code).toBe(0);
  await page.getByRole("button", { name: /Revoke the key/ }).click();
  await revoke.click();
  await expect(page.getByRole("main").getByText("revoked", { exact: true })).toBeVisible();
  const shut = await run(gate, key, "let-me");
  expect(shut).toMatchObject({ code: 2, stdout: "" });
  expect(shut.stderr).toContain("This agent key was revoked or has expired");
  expect(await run(observer, key, "")).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("a client is chosen, and its exact files and the command that writes them are shown", async ({ page }) => {
  await page.goto("/agents?do=create");
  await page.getByLabel("Name").fill(fresh("editor"));
  await page.getByRole("button", { name: "Create agent" }).click();
  const dialog = page.getByRole("dialog");
  const choose = async (field: string, option: string) => {
    await dialog.getByLabel(field, { exact: true }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  };
  await choose("Client", "Claude Code");
  await expect(dialog.getByText("~/.claude/settings.json, mode 0644")).toBeVisible();
  await expect(dialog.getByText("~/.config/quarterdeck/header, mode 0600")).toBeVisible();
  await expect(dialog.getByText("node quarterdeck-enrol.mjs claude-code --user")).toBeVisible();
  await expectAccessible(page);
  await choose("Settings", "Every user");
  await expect(dialog.getByText("/etc/claude-code/managed-settings.json, mode 0644")).toBeVisible();
  // Cline has settings of a user only.
  await choose("Client", "Cline");
  await expect(dialog.getByText("~/.cline/hooks/PreToolUse, mode 0755")).toBeVisible();
  await choose("Client", "docker-agent");
  await expect(dialog.getByText("Hooks for docker-agent").first()).toBeVisible();
  await dialog.getByRole("tab", { name: "Drop-in file" }).click();
  await expect(dialog.getByText("~/.config/cagent/hooks.d/50-quarterdeck.yaml, mode 0600")).toBeVisible();
  await expect(dialog.getByText("node quarterdeck-enrol.mjs docker-agent --user")).toBeVisible();
});

test("with nobody listening the snippet blocks, and does not disturb where nothing can be blocked", {
  tag: "@proof",
}, async ({ api }) => {
  const key = await api.key(fresh("lonely"));
  const { gate, preemptGate, observer } = await snippet(api, "http://127.0.0.1:9");
  for (const command of [gate, preemptGate]) {
    const ended = await run(command, key, "ls");
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("There is no answer from http://127.0.0.1:9");
  }
  expect(await run(observer, key, "ls")).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("a name that cannot be is refused beside the field, in words", { tag: "@proof" }, async ({ page, api }) => {
  const taken = fresh("taken");
  await api.key(taken);
  await page.goto("/agents?do=create");
  await page.getByLabel("Name").fill("a/b");
  await page.getByRole("button", { name: "Create agent" }).click();
  await expect(page.getByText("Use letters, digits, spaces, dots, dashes and underscores.")).toBeVisible();
  await page.getByLabel("Name").fill(taken);
  await page.getByRole("button", { name: "Create agent" }).click();
  await expect(page.getByText(`There is already an agent named "${taken}".`)).toBeVisible();
  await expectAccessible(page);
});

test("an agent is renamed, retired, brought back and removed", async ({ page, api }) => {
  const [before, after] = [fresh("first"), fresh("second")];
  const key = await api.key(before);
  const gate = async () => {
    const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: before, tool_name: "shell" }),
    });
    return response.status;
  };
  await page.goto("/agents");
  await page.getByRole("link", { name: before }).click();
  const act = async (name: string, item: string) => {
    await page.getByRole("button", { name: `More about ${name}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await act(before, "Rename…");
  await page.getByRole("textbox", { name: "Name" }).fill(after);
  await page.getByRole("button", { name: "Rename agent" }).click();
  await expect(page.getByRole("heading", { level: 1, name: after })).toBeVisible();
  expect(await gate()).toBe(200);

  await act(after, "Retire…");
  await page.getByRole("button", { name: "Retire agent" }).click();
  await expect(page.getByText(/its keys are refused until it is restored/)).toBeVisible();
  expect(await gate()).toBe(403);
  await expectAccessible(page);
  await act(after, "Restore");
  await expect(page.getByText(/its keys are refused until it is restored/)).toHaveCount(0);
  expect(await gate()).toBe(200);

  await act(after, "Retire…");
  await page.getByRole("button", { name: "Retire agent" }).click();
  await expect(page.getByText(/its keys are refused until it is restored/)).toBeVisible();
  await act(after, "Remove…");
  await page.getByRole("alertdialog").getByRole("textbox").fill(after);
  await page.getByRole("button", { name: "Remove agent" }).click();
  await expect(page.getByText(`${after} removed`)).toBeVisible();
  await expect(page).toHaveURL(/\/agents$/);
  await expect(page.getByRole("table").getByText(after)).toHaveCount(0);
  expect(await gate()).toBe(401);
});

/** The statuses of one gate call with each key. */
function answers(url: string, keys: readonly string[]): Promise<number[]> {
  const ask = async (key: string) => {
    const response = await fetch(`${url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "keys", tool_name: "shell", tool_input: { cmd: "ls" } }),
    });
    return response.status;
  };
  return Promise.all(keys.map(ask));
}

interface Key {
  readonly id: string;
  readonly hint: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly scopes: readonly string[];
}

test("a key gives way to the next: both open while they overlap, and the page says which does", async ({
  page,
  api,
}) => {
  const agent = fresh("rotated");
  const first = await api.key(agent);
  const keysOf = async () => {
    const agents = await api.query("agents.list");
    return agents.find(({ name }) => name === agent)?.keys ?? [];
  };
  await page.goto("/agents");
  await page.getByRole("link", { name: agent }).click();
  const row = (key: string) => page.getByRole("listitem").filter({ hasText: `${key.slice(0, 8)}…` });
  const agents = await api.query("agents.list");
  const agentId = found(agents.find(({ name }) => name === agent)).id;
  const keyOf = async (key: string) => (await keysOf()).find(({ hint }) => key.startsWith(hint));

  // For an hour both open; the old one says when it ends.
  const old = found(await keyOf(first));
  const overlap = { agentId, keyId: old.id, overlapHours: 1 };
  const second = (await api.mutate("agents.rotateKey", overlap)).key;
  expect(await answers(api.url, [first, second])).toEqual([200, 200]);
  await expect(row(first)).toContainText(/active.*, ends in /);
  await expect(row(second)).toContainText("active");
  await expect(row(second)).not.toContainText("ends");
  const endsInMs = ((await keyOf(first))?.expiresAt?.getTime() ?? 0) - Date.now();
  expect(endsInMs).toBeGreaterThan(0);
  expect(endsInMs).toBeLessThanOrEqual(3_600_000);

  // Not at all: the old one is refused at once, and the page says so without a reload.
  await row(second)
    .getByRole("button", { name: /^Replace the key/ })
    .click();
  const dialog = page.getByRole("dialog", { name: /^Replace key/ });
  await dialog.getByRole("combobox", { name: "Keep the old key valid for" }).click();
  await page.getByRole("option", { name: "not at all" }).click();
  await dialog.getByRole("button", { name: "Create new key" }).click();
  const third = (await page.getByTestId("new-key").textContent()) ?? "";
  expect(third).toMatch(/^qd_[0-9A-Za-z]{43}_[0-9a-f]{64}$/);
  await page.getByRole("button", { name: "Done" }).click();
  expect(await answers(api.url, [first, second, third])).toEqual([200, 401, 200]);
  await expect(row(second)).toContainText(/expired.*, ended /);
  await expect(row(second).getByRole("button", { name: /^Replace/ })).toHaveCount(0);
  await expect(row(third)).toContainText("active");

  // The one that overlaps is ended early. What is left is the last one, though two others are listed.
  await api.mutate("agents.revokeKey", { agentId, keyId: old.id });
  await expect(row(first)).toContainText("revoked");
  expect(await answers(api.url, [first, second, third])).toEqual([401, 401, 200]);
  await row(third)
    .getByRole("button", { name: /^Revoke the key/ })
    .click();
  await expect(page.getByRole("alertdialog")).toContainText(`This is the only key of ${agent}.`);

  // The next key has the scopes of the one before, and the rest of its life.
  const bounded = await api.mutate("agents.createKey", { agentId, scopes: ["report"], days: 7 });
  const next = await api.mutate("agents.rotateKey", { agentId, keyId: bounded.keyId, overlapHours: 720 });
  expect(await answers(api.url, [bounded.key, next.key])).toEqual([403, 403]);
  const [was, is] = [await keyOf(bounded.key), await keyOf(next.key)];
  expect(is?.scopes).toEqual(["report"]);
  const lifeMs = (key: Key | undefined) => (key?.expiresAt?.getTime() ?? 0) - (key?.createdAt.getTime() ?? 0);
  // To the second: the two instants of one key are not taken in one step.
  expect(Math.round(lifeMs(is) / 1_000)).toBe(Math.round(lifeMs(was) / 1_000));
});

test("agents are found by chips and counts, ranked, and opened by keys; an old link leads to the page", async ({
  page,
  api,
}) => {
  const [guarded, quiet] = [fresh("guarded"), fresh("quiet")];
  const key = await api.key(guarded);
  await api.key(quiet);
  const agents = await api.query("agents.names");
  const idOf = (name: string) => found(agents.find((agent) => agent.name === name)).id;
  await api.mutate("agents.setTags", { agentId: idOf(guarded), tags: ["prod"] });
  const policy = fresh("verdicts");
  const { policyId } = await api.mutate("policies.create", { name: policy });
  await api.mutate("policies.assign", { policyId, scope: "chosen", groupIds: [], agentIds: [idOf(guarded)] });
  await api.mutate("policies.publishByName", { name: policy, source: VERDICTS });
  await answers(api.url, [key]);

  await page.goto("/agents");
  const table = page.getByRole("grid", { name: "agents" });
  const counts = page.getByRole("region", { name: "Counts" });
  await expect(counts).toContainText("2 enrolled");
  await counts.getByRole("button", { name: "1 without policy" }).click();
  await expect(page).toHaveURL(/q=policy(:|%3A)none/);
  await expect(table.getByRole("link", { name: quiet })).toBeVisible();
  await expect(table.getByRole("link", { name: guarded })).toHaveCount(0);
  await expect(page.getByText("1 matching agent")).toBeVisible();
  await expectAccessible(page);
  await counts.getByRole("button", { name: "1 without policy" }).click();

  const bar = page.getByRole("combobox", { name: "Filter agents" });
  await bar.fill("seen:never ");
  await bar.press("Enter");
  await expect(table.getByRole("link", { name: guarded })).toHaveCount(0);
  await expect(table.getByRole("row").filter({ hasText: quiet })).toContainText("never");
  await bar.fill("tag:prod ");
  await bar.press("Enter");
  await expect(page.getByText("No agent matches")).toBeVisible();
  await page.getByRole("button", { name: "Remove seen: never" }).click();
  await expect(table.getByRole("link", { name: guarded })).toBeVisible();
  await page.getByRole("search").getByRole("button", { name: "Clear the filter" }).click();
  // The completions that the empty bar offers lie over the table.
  await bar.press("Escape");

  await table.getByRole("button", { name: "Agent" }).click();
  await expect(page).toHaveURL(/sort=-?name/);
  for (const name of [quiet, guarded]) await expect(table.getByRole("link", { name })).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/agents\/[0-9a-f-]{36}$/);

  await page.goto(`/agents?open=${idOf(guarded)}`);
  await expect(page).toHaveURL(new RegExp(`/agents/${idOf(guarded)}$`));
  await expect(page.getByRole("heading", { level: 1, name: guarded })).toBeVisible();
  await expect(page.getByText("prod", { exact: true })).toBeVisible();
  await page.goto(`/agents/${crypto.randomUUID()}`);
  await expect(page.getByText("This agent does not exist")).toBeVisible();
});
