import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { type Sender, sender } from "./fixtures/sender.ts";
import { CompactionsPage } from "./pages/compactions.ts";

/** Hooks that steer, replace or veto, and only when the input holds this journey's own words. */
async function careful(api: Script) {
  const word = fresh("care").replaceAll(" ", "-");
  const policy = fresh("compaction care");
  const say = (output: object) => `if grep -q ${word}; then printf %s '${JSON.stringify(output)}'; fi`;
  const steer = { hook_specific_output: { additional_context: `keep ${word}` } };
  const replace = { hook_specific_output: { summary: `# Handover ${word}\n\n- \`fetch\` is open` } };
  const source = `hooks:
  pre_compact:
    - {name: steer, type: command, command: ${JSON.stringify(say(steer))}}
    - name: not now
      type: command
      command: |
        input=$(cat)
        case $input in *'"source":"overflow"'*) exit 0 ;; esac
        case $input in *${word}-veto*) echo "the migration runs" >&2; exit 2 ;; esac
  before_compaction:
    - {name: handover, type: command, command: ${JSON.stringify(say(replace))}}
`;
  await api.mutate("policies.publishByName", { name: policy, source, note: "" });
  return { word, policy };
}

const size = { input_tokens: 180_000, output_tokens: 2_000, context_limit: 200_000, compaction_reason: "threshold" };

/** One attempt, as an agent makes it: it stops where a hook stops it, and applies the summary a hook supplies. */
async function compact({ send }: Sender, session_id: string, summary: string): Promise<void> {
  const refused = (answer: unknown) => JSON.stringify(answer).includes('"block"');
  if (refused(await send("pre_compact", { session_id, source: "auto" }))) return;
  const answer = await send("before_compaction", { session_id, ...size });
  const own = (answer as { hook_specific_output?: { summary?: string } }).hook_specific_output?.summary; // hook output JSON
  await send("after_compaction", { session_id, ...size, summary: own ?? summary });
}

test("a compaction is one row, and its drawer tells who steered, replaced and stopped what", async ({ page, api }) => {
  const { word, policy } = await careful(api);
  const agent = await sender(api, "keeper");
  const compactions = new CompactionsPage(page);
  await compactions.open(`?q=${encodeURIComponent(`agent:"${agent.agent}"`)}`);

  await compact(agent, `${word}-calm`, "unused");
  const row = compactions.rows("Applied");
  await expect(row).toHaveCount(1);
  for (const words of ["threshold", "91 %", "guided", "replaced", `Handover ${word}`])
    await expect(row).toContainText(words);
  await row.click();
  const { drawer } = compactions;
  await expect(drawer).toContainText("was replaced by a hook's own summary");
  await expect(drawer.getByRole("heading", { name: `Handover ${word}` })).toBeVisible();
  await expect(drawer.getByText(`keep ${word}`).first()).toBeVisible();
  for (const event of ["pre_compact", "before_compaction", "after_compaction"])
    await expect(drawer.getByRole("listitem").filter({ hasText: event }).first()).toBeVisible();
  await expect(drawer).toContainText(`${policy} revision 1`);
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  await compact(agent, `${word}-veto`, "never");
  await compactions.rows("Blocked").click();
  await expect(drawer).toContainText("was kept: a hook blocked the compaction");
  await expect(drawer).toContainText("the migration runs");
  await expect(drawer).toContainText("did not happen");
  await page.reload();
  await expect(drawer).toContainText("the migration runs");
});

test("attempts of one session are walked, filtered and read", { tag: "@proof" }, async ({ page, api }) => {
  const agent = await sender(api, "long");
  const { session } = agent;
  for (const round of ["first", "second", "third"]) await compact(agent, session, `## The ${round} summary\n\n1. done`);
  const compactions = new CompactionsPage(page);
  await compactions.openSession(session);
  await expect(compactions.rows("Applied")).toHaveCount(3);
  await compactions.rows("second summary").click();
  const { drawer } = compactions;
  await expect(drawer).toContainText("2 of 3 in its session");
  await drawer.getByRole("link", { name: "Next" }).click();
  await expect(drawer.getByRole("heading", { name: "The third summary" })).toBeVisible();
  await page.keyboard.press("k");
  await expect(drawer.getByRole("heading", { name: "The third summary" })).toBeVisible();
  await page.keyboard.press("j");
  await expect(drawer.getByRole("heading", { name: "The second summary" })).toBeVisible();
  await drawer.getByRole("radio", { name: "Source" }).click();
  await expect(drawer.getByText("## The second summary", { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await compactions.filter.fill("outcome:blocked");
  await compactions.filter.press("Enter");
  await expect(page.getByText("No compaction matches")).toBeVisible();
  await expectAccessible(page);
});

/** The joined records follow the events some seconds later. */
const JOINED = { timeout: 60_000 };
const MODEL = "acme/large";

/** A session that compacted once, half an hour ago: the tokens before and after, and the turns that followed. */
async function compacted(agent: Sender, after: number | null, turns: number, errors = 0): Promise<void> {
  const session_id = fresh("compacted").replaceAll(" ", "-");
  let at = Date.now() - 30 * 60_000;
  const tell = (event: string, input: object, seconds = 1) => {
    at += seconds * 1_000;
    return agent.report(new Date(at), event, { session_id, ...input });
  };
  const half = { input_tokens: 98_000, output_tokens: 2_000, context_limit: 200_000, compaction_reason: "threshold" };
  await tell("after_llm_call", { model_id: MODEL, usage: { input_tokens: 98_000, output_tokens: 2_000 } });
  await tell("before_compaction", half);
  await tell("after_compaction", { ...half, summary: "# Where we are" }, 4);
  const call = { model_id: MODEL, usage: { input_tokens: after, output_tokens: 1_000 } };
  if (after !== null) await tell("after_llm_call", call);
  for (let turn = 0; turn < turns; turn += 1) {
    await tell("turn_start", {});
    await tell("turn_end", {});
  }
  for (let error = 0; error < errors; error += 1) await tell("on_error", { message: "the model failed" });
}

test("trends are the figures of what was reported, by model, agent and reason, and lead to the attempts", async ({
  page,
  api,
}) => {
  const [steady, troubled] = [await sender(api, "steady"), await sender(api, "troubled")];
  const source = `hooks:
  pre_compact:
    - {name: not now, type: command, command: 'case "$(cat)" in *overflow*) ;; *veto-me*) echo "not now" >&2; exit 2;; esac'}
`;
  await api.mutate("policies.publishByName", { name: fresh("veto"), source, note: "" });
  const compactions = new CompactionsPage(page);
  await compactions.open("?view=trends&range=1h");
  await expect(page.getByText("No compaction in the last hour")).toBeVisible();

  await compacted(steady, 25_000, 3);
  await compacted(steady, 50_000, 0);
  await compacted(troubled, 75_000, 3, 2);
  await compacted(troubled, null, 0);
  await troubled.send("pre_compact", { source: "manual", session_id: "veto-me" });

  // Without a reload, once they are joined.
  const table = (by: string) => page.getByRole("table", { name: `compactions by ${by}` });
  const cells = (by: string, name: string) => table(by).getByRole("row").filter({ hasText: name }).getByRole("cell");
  await expect(cells("model", MODEL)).toHaveText(
    [MODEL, "4", "100 k", "50 k", "50 %", "4 s", "1 of 2", "0 of 4"],
    JOINED,
  );
  await expect(cells("model", "no model known")).toContainText(["no model known", "1 (1 blocked)"], JOINED);
  await expect(page.getByText("1 of 2 with at least three turns after")).toBeVisible();
  await expectAccessible(page);

  // The table behind the chart holds each attempt once.
  const chart = page.locator("[data-chart=compactions-over-time]");
  await chart.getByRole("button", { name: "Show the data as a table" }).click();
  const counts = async () => {
    const texts = await chart.getByRole("cell").allTextContents();
    return texts.filter((text) => /^\d+$/.test(text)).reduce((sum, text) => sum + Number(text), 0);
  };
  await expect.poll(counts).toBe(5);
  await expect(chart.getByRole("cell", { name: /veto \S+, revision 1 published by / })).toBeVisible();
  const range = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) };
  const { points } = await api.query("compactions.trend", { ...range, by: "model" });
  expect(points.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(5);

  await page.getByRole("radio", { name: "by agent" }).click();
  await expect(cells("agent", steady.agent)).toHaveText([
    steady.agent,
    "2",
    "100 k",
    "25 k",
    "25 %",
    "4 s",
    "0 of 1",
    "0 of 2",
  ]);
  await expect(cells("agent", troubled.agent)).toContainText([troubled.agent, "3 (1 blocked)"]);
  const { lines, total } = await api.query("compactions.breakdown", { ...range, by: "agent" });
  expect(total).toMatchObject({ attempts: 5, applied: 4, vetoed: 1, judged: 2, troubled: 1 });
  expect(lines.find(({ name }) => name === troubled.agent)).toMatchObject({
    attempts: 3,
    medianAfter: 75_000n,
    judged: 1,
    troubled: 1,
  });

  await page.getByRole("radio", { name: "by reason" }).click();
  await expect(cells("reason", "threshold")).toContainText(["threshold", "4"]);
  await table("reason").getByRole("link", { name: "threshold" }).click();
  await expect(compactions.rows("Applied")).toHaveCount(4);
  await expect(compactions.rows("Blocked")).toHaveCount(0);
});

test("a denied call after a compaction is trouble, for a client that reports no model calls too", async ({
  page,
  api,
}) => {
  const name = fresh("no force");
  const source = `profile: 2026-11
hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - { name: no force, type: rules, rules: [{ command: { program: git, flags: [force] }, deny: Not with force. }] }
`;
  const { policyId } = await api.mutate("policies.publishByName", { name, note: "", source });
  await api.mutate("policies.assign", { policyId, scope: "workspace" });
  const agent = await sender(api, "claude");
  const claude = (hook_event_name: string, more: object = {}) =>
    agent.send(`claude-code/${hook_event_name}`, {
      ...{ hook_event_name, transcript_path: "/t.jsonl", cwd: "/srv", permission_mode: "default", ...more },
    });
  let calls = 0;
  const run = async (command: string) => {
    calls += 1;
    const call = { tool_name: "Bash", tool_use_id: `toolu_${calls}`, tool_input: { command } };
    const answer = JSON.stringify(await claude("PreToolUse", call));
    if (!answer.includes('"deny"')) await claude("PostToolUse", { ...call, tool_response: { stdout: "", stderr: "" } });
  };
  await claude("UserPromptSubmit", { prompt: "Publish main. Never push with force." });
  for (const command of ["git status", "npm test", "git fetch"]) await run(command);
  await claude("PreCompact", { trigger: "auto" });
  await claude("PostCompact", { trigger: "auto", compact_summary: "Main is to be published." });
  for (const command of ["git status", "git push --force origin main", "git log"]) await run(command);

  const compactions = new CompactionsPage(page);
  await compactions.open(`?q=${encodeURIComponent(`agent:"${agent.agent}"`)}`);
  const row = compactions.rows("Applied");
  await expect(row).toContainText("Worse", { timeout: 30_000 });
  await row.click();
  const { drawer } = compactions;
  await expect(drawer).toContainText("More denied calls in the 3 turns after than in the 3 turns before");
  await expect(drawer.getByRole("row", { name: /^Denied calls/ })).toContainText("1 of 3");
  await expect(drawer).toContainText("The client compacted by itself, because its context was nearly full.");
});
