/** Monitor mode of one rule: set in its drawer, said on every page, counted, and over at its end. */
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { expectNotice } from "./fixtures/notices.ts";

const TEXT = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - { name: no curl, type: command, command: 'if grep -q curl; then echo "curl is denied" >&2; exit 2; fi' }
        - { name: no rm, type: command, command: 'if grep -q "rm -rf"; then echo "rm is denied" >&2; exit 2; fi' }
`;

async function denies(api: Script, key: string, cmd: string): Promise<boolean> {
  const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "monitored", tool_name: "shell", tool_input: { cmd } }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { decision?: string }).decision === "block"; // hook output
}

test("a rule is monitored from its drawer, denies nothing, is counted, and is enforced at its end", async ({
  page,
  api,
}) => {
  const agent = fresh("agent");
  const key = await api.key(agent);
  const name = fresh("monitored");
  const { policyId } = await api.mutate("policies.publishByName", { name, source: TEXT });
  expect(await denies(api, key, "curl x")).toBe(true);

  const drawer = page.getByRole("dialog", { name: "no curl" });
  await page.goto(
    `/policies/performance?open=${encodeURIComponent(JSON.stringify([name, "pre_tool_use", "no curl"]))}`,
  );
  await expect(drawer).toContainText("Monitor mode is off: the rule is enforced.");
  await drawer.getByRole("button", { name: "Monitor…" }).click();
  const asked = page.getByRole("alertdialog");
  await expect(asked).toContainText(`calls that this rule of ${name} denies on pre_tool_use will run`);
  await expectAccessible(page);
  await asked.getByRole("button", { name: "Monitor", exact: true }).click();
  await expect(page.getByText("no curl is in monitor mode")).toBeVisible();

  for (const cmd of ["curl a", "curl b", "curl c", "ls"]) expect(await denies(api, key, cmd)).toBe(false);
  expect(await denies(api, key, "rm -rf /")).toBe(true);
  await expect(drawer).toContainText("The rule would have denied 3 of 5 gate calls.");
  await expect(
    drawer.getByRole("list", { name: "Calls that the rule would have stopped" }).getByRole("listitem"),
  ).toHaveCount(3);
  await expectAccessible(page);

  await drawer.getByRole("list", { name: "Calls that the rule would have stopped" }).getByRole("link").first().click();
  await expect(page).toHaveURL(/\/activity/);
  await expect(page.getByRole("dialog")).toContainText("would deny");
  await expect(page.getByRole("dialog")).toContainText("curl is denied");

  for (const path of ["/", "/audit", "/agents"]) {
    await page.goto(path);
    const strip = await expectNotice(page, "Monitored rules", "is only monitored.");
    await expect(strip).toContainText("The rule would have denied 3 of 5 gate calls. The rule will be enforced in");
  }
  await page.goto(`/policies/${policyId}`);
  await expect(page.getByRole("region", { name: "State" })).toContainText(
    "Monitor mode for 1 rule, which stops no call: no curl.",
  );
  await expect(page.getByRole("region", { name: "State" })).toContainText("1 rule monitored");

  const until = new Date(Date.now() + 5_000);
  await api.mutate("policies.monitorRule", { policyId, event: "pre_tool_use", hook: "no curl", until });
  await expect(page.getByRole("region", { name: "Monitored rules" })).toHaveCount(0, { timeout: 20_000 });
  await expect(page.getByRole("region", { name: "State" })).not.toContainText("monitored");
  expect(await denies(api, key, "curl d")).toBe(true);
});

test("a monitored rule is enforced from its drawer on a phone", async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await api.key(fresh("agent"));
  const name = fresh("monitored");
  const { policyId } = await api.mutate("policies.publishByName", { name, source: TEXT });
  const until = new Date(Date.now() + 3_600_000);
  for (const hook of ["no curl", "no rm"])
    await api.mutate("policies.monitorRule", { policyId, event: "pre_tool_use", hook, until });
  await page.goto("/");
  await expectNotice(page, "Monitored rules", "2 rules are only monitored:");
  await page.getByRole("region", { name: "Monitored rules" }).getByRole("link", { name: "no rm" }).click();
  const drawer = page.getByRole("dialog", { name: "no rm" });
  await drawer.getByRole("button", { name: "Enforce now…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Enforce now" }).click();
  await expect(drawer).toContainText("Monitor mode is off: the rule is enforced.");
  await expectAccessible(page);
});
