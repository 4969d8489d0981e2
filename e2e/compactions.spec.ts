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
      command: 'if grep -q ${word}-veto; then echo "the migration runs" >&2; exit 2; fi'
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
  for (const words of ["threshold", "91 %", "steered", "replaced", `Handover ${word}`])
    await expect(row).toContainText(words);
  await row.click();
  const { drawer } = compactions;
  await expect(drawer).toContainText("gave way to a hook's own summary");
  await expect(drawer.getByRole("heading", { name: `Handover ${word}` })).toBeVisible();
  await expect(drawer.getByText(`keep ${word}`).first()).toBeVisible();
  for (const event of ["pre_compact", "before_compaction", "after_compaction"])
    await expect(drawer.getByRole("listitem").filter({ hasText: event }).first()).toBeVisible();
  await expect(drawer).toContainText(`${policy} revision 1`);
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  await compact(agent, `${word}-veto`, "never");
  await compactions.rows("Vetoed").click();
  await expect(drawer).toContainText("a hook stopped it and the context stayed");
  await expect(drawer).toContainText("the migration runs");
  await expect(drawer).toContainText("did not happen");
  await page.reload();
  await expect(drawer).toContainText("the migration runs");
});

test("attempts of one session are walked, filtered and read", async ({ page, api }) => {
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
  await compactions.filter.fill("outcome:vetoed");
  await compactions.filter.press("Enter");
  await expect(page.getByText("No compaction matches")).toBeVisible();
  await expectAccessible(page);
});
