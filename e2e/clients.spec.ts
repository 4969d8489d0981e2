/** Per client: the matrix on a phone, an agent whose client is known from its first event, and the editor's finding about it. */
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";

const ASKS = `hooks:
  pre_tool_use:
    - matcher: Bash
      preempt_yolo: true
      hooks:
        - type: command
          command: |
            echo '{"hook_specific_output":{"permission_decision":"ask"}}'
`;

async function startCodex(api: Script, key: string): Promise<void> {
  const response = await fetch(`${api.url}/api/v1/hooks/codex/SessionStart`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "clients", hook_event_name: "SessionStart", source: "startup" }),
  });
  expect(response.status).toBe(200);
}

test("the matrix names each client's powers and gaps, on a phone too", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/agents");
  await page.getByRole("link", { name: "Clients", exact: true }).click();
  const matrix = page.getByRole("region", { name: "Client matrix" });
  await expect(matrix.getByRole("row", { name: /Ask pre_tool_use/ })).toContainText("denied");
  await expectAccessible(page);
  await matrix.getByRole("link", { name: "Codex" }).click();
  await expect(page.getByRole("region", { name: "Events of Codex" })).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});

test("a policy assigned to an agent of Codex says what becomes of its question there", { tag: "@proof" }, async ({
  page,
  api,
}) => {
  const name = fresh("codex");
  const key = await api.key(name);
  await startCodex(api, key);
  await page.goto("/agents?q=client:codex");
  await expect(page.getByRole("row", { name: new RegExp(name) })).toContainText("Codex");

  const policy = fresh("asks");
  const published = await api.mutate("policies.publishByName", { name: policy, source: ASKS, note: "asks" });
  const { policyId } = published as { policyId: string }; // publishedView
  await api.mutate("policies.assign", { policyId, scope: "workspace" });
  await page.goto(`/policies/${policyId}`);
  await expect(page.getByText("This question becomes a denial on Codex").first()).toBeVisible({ timeout: 30_000 });
  await page.goto("/agents?q=client:codex");
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("list", { name: "On its client" })).toContainText(
    "This question becomes a denial on Codex.",
  );
  await expectAccessible(page);
});
