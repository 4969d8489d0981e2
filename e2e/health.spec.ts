/** Health: what it says is true, while all is well and when an agent, a judge or a webhook is not. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { type ModelStub, modelStub } from "./fixtures/model-stub.ts";
import { startReceiver } from "./fixtures/receiver.ts";
import { sender } from "./fixtures/sender.ts";

let stub: ModelStub;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
test.beforeAll(async () => {
  [stub, receiver] = await Promise.all([modelStub(), startReceiver()]);
});
test.afterAll(async () => {
  receiver.stop();
  await stub.stop();
});

interface Finding {
  readonly id: string;
  readonly state: string;
  readonly says: string;
}
async function findingsOf(api: Script): Promise<Readonly<Record<string, Finding>>> {
  const { findings } = await api.query("doctor.examine");
  return Object.fromEntries(findings.map((one) => [one.id, one]));
}

const finding = (page: Page, says: string | RegExp) => page.getByRole("listitem").filter({ hasText: says });
/** The findings that need nothing done; folded while there is any other. */
const passed = (page: Page, says: string | RegExp) =>
  page.getByRole("list", { name: "Passed" }).getByRole("listitem").filter({ hasText: says });
const problem = (page: Page, says: string | RegExp) =>
  page.getByRole("list", { name: "Needs attention" }).getByRole("listitem").filter({ hasText: says });

test("health says what is true of an empty workspace, of one that is governed, and of one where things fail", async ({
  page,
  api,
}) => {
  // The address that Health had as a tab leads there.
  await page.goto("/settings?tab=health");
  await expect(page).toHaveURL(/\/settings\/health$/);
  await expect(page.getByRole("heading", { name: "Health", level: 1 })).toBeVisible();
  await page.getByText("Passed").first().click();
  await expect(passed(page, "No agent has a key yet.")).toContainText("OK");
  await expect(passed(page, "No agent has a key.")).toContainText("OK");
  await expect(passed(page, "No webhook is set.")).toContainText("OK");
  await expect(passed(page, "No judge calls in the last 24 hours.")).toContainText("OK");
  await expect(finding(page, /was heard/)).toHaveCount(0);
  await expect(
    finding(page, /Checkpoints are stored/)
      .getByRole("link", { name: "See the audit chain on the Audit page" })
      .first(),
  ).toHaveAttribute("href", "/audit/proof");
  await expectAccessible(page);

  // A key without a policy is an open gate, and the worst comes first.
  const connection = fresh("judging").replaceAll(" ", "-");
  const agent = await sender(api, "examined");
  await page.getByRole("button", { name: "Re-run checks" }).click();
  const open = problem(page, `1 of 1 agents with a key has no policy`);
  await expect(open).toContainText("Failure");
  await expect(open).toContainText(agent.agent);
  const newcomer = passed(page, "except new agents without events");
  await expect(newcomer).toContainText(agent.agent);
  const { findings } = await api.query("doctor.examine");
  const order = ["failure", "warning", "unknown", "ok"];
  expect(findings.map(({ state }) => order.indexOf(state))).toEqual(
    findings.map(({ state }) => order.indexOf(state)).sort((a, b) => a - b),
  );
  await expect(page.getByText(/^\d failures?/)).toBeVisible();
  // The navigation knows it too.
  await expect(page.getByRole("link", { name: /^Health\s*,\s*\d+ findings?$/ })).toBeVisible();

  // A judge that answers, and a webhook that takes what it is sent.
  const credentials = { provider: "openai-compatible" as const, baseUrl: stub.url, credential: "k", nanoPerDay: null };
  await api.mutate("judges.save", { name: connection, ...credentials, callsPerDay: null, prices: [] });
  await api.mutate("policies.publishByName", { name: fresh("judging policy"), source: judged(connection) });
  await api.mutate("webhooks.save", { url: `${receiver.url}/health`, kinds: ["agent_key.created"], isEnabled: true });
  await agent.send("pre_tool_use", { tool_name: "good", tool_use_id: "1", tool_input: {} });
  await api.key(fresh("second"));
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(1);
  await page.getByRole("button", { name: "Re-run checks" }).click();
  await expect(passed(page, "Each of 2 agents with a key has a policy.")).toContainText("OK");
  await expect(passed(page, "Judges answered 1 call in the last 24 hours; 0 failed.")).toContainText("OK");
  await expect(passed(page, "Every webhook accepted its last message.")).toContainText("OK");
  await expect(newcomer).not.toContainText(agent.agent);

  // Both fail.
  receiver.answerAt("/health", 500);
  await agent.send("pre_tool_use", { tool_name: "bad", tool_use_id: "2", tool_input: {} });
  await api.key(fresh("third"));
  await expect.poll(async () => (await findingsOf(api)).webhooks?.state, { timeout: 60_000 }).toBe("warning");
  await page.getByRole("button", { name: "Re-run checks" }).click();
  const webhook = problem(page, "The last message was not accepted by");
  await expect(webhook).toContainText(`${new URL(receiver.url).host} (1 delivery waits; it answered 500)`);
  await expect(webhook).toContainText("Warning");
  const judge = problem(page, "1 of 2 judge calls failed in the last 24 hours");
  await expect(judge).toContainText("Warning");
  await expect(judge).toContainText("tiny");
  await expectAccessible(page);
  expect((await findingsOf(api)).judges?.state).toBe("warning");

  // It is taken at the next attempt, and health says so.
  receiver.answerAt("/health", 200);
  await expect.poll(async () => (await findingsOf(api)).webhooks?.state, { timeout: 90_000 }).toBe("ok");
  await page.getByRole("button", { name: "Re-run checks" }).click();
  await expect(passed(page, "Every webhook accepted its last message.")).toContainText("OK");
});

const judged = (connection: string): string => {
  const judge = (tool: string, word: string) => `
    - matcher: ${tool}
      hooks:
        - type: model
          name: ${tool} judge
          model: ${connection}/tiny
          schema: pre_tool_use_decision
          timeout: 2
          prompt: "May this run? stub:${word}"`;
  return `hooks:\n  pre_tool_use:${judge("good", "allow")}${judge("bad", "two")}`;
};
