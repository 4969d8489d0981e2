/** Service accounts: a token that is shown once, does what its role may, nothing beyond, and nothing after it was revoked. */
import superjson from "superjson";
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";

/** The console's procedures as a pipeline asks them. */
function pipeline(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answered = async (response: Response) => ({ status: response.status, text: await response.text() });
  return {
    query: async (path: string) => answered(await fetch(`${url}/api/trpc/${path}`, { headers })),
    mutate: async (path: string, input: object) => {
      const body = JSON.stringify(superjson.serialize(input));
      return answered(await fetch(`${url}/api/trpc/${path}`, { method: "POST", headers, body }));
    },
  };
}

test("a service account publishes with its token, does no more than its role, and is refused once it is revoked", async ({
  page,
  api,
}) => {
  const account = fresh("release pipeline");
  await page.goto("/settings/people");
  await expect(page.getByText("No service accounts yet")).toBeVisible();
  await page.getByRole("button", { name: "New service account" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByLabel("Name").fill(account);
  await expect(dialog.getByText("Writes and publishes policies that run no commands.")).toBeVisible();
  await dialog.getByRole("button", { name: "Create" }).click();
  const tokens = page.getByRole("list", { name: `Tokens of ${account}` });
  await expect(tokens).toContainText("No token. The account cannot be used.");

  await page.getByRole("button", { name: "Add a token" }).click();
  const shown = page.getByRole("dialog", { name: `Token for ${account}` });
  const token = (await shown.getByTestId("shown-once").textContent()) ?? "";
  expect(token).toMatch(/^qds_[0-9A-Za-z]{43}$/);
  await expectAccessible(page);
  await shown.getByRole("button", { name: "I have saved the token" }).click();
  await expect(tokens).toContainText("never used");
  // Shown this once: neither the page nor what it asks the server has it again.
  await page.reload();
  await expect(tokens).toContainText(`${token.slice(0, 9)}…`);
  expect(await page.content()).not.toContain(token);
  expect(JSON.stringify(await api.query("serviceAccounts.list"))).not.toContain(token);

  const asked = pipeline(api.url, token);
  const [policy, guarded] = [fresh("published by a pipeline"), fresh("with a command")];
  expect((await asked.query("policies.list")).status).toBe(200);
  const published = await asked.mutate("policies.publishByName", { name: policy, source: "hooks: {}\n" });
  expect(published.status).toBe(200);
  const command = "hooks:\n  pre_tool_use:\n    - hooks:\n        - {name: c, type: command, command: exit 0}\n";
  const refused = await asked.mutate("policies.publishByName", { name: guarded, source: command });
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("admin or owner")]);
  const beyond = {
    "people.invite": { email: "a@example.org", role: "viewer" },
    "agents.createKeyByName": { name: "x" },
  };
  for (const [path, input] of Object.entries(beyond)) expect((await asked.mutate(path, input)).status).toBe(403);
  expect((await asked.query("audit.list")).status).toBe(403);
  // A token of the console is no agent's key.
  const dispatched = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_input: {} }),
  });
  expect(dispatched.status).toBe(401);

  // Its publication stands under its name.
  await page.goto("/audit?q=kind:policy_published");
  const row = page.getByRole("row").filter({ hasText: `published revision 1 of ${policy}` });
  await expect(row).toContainText(account);
  await page.goto("/policies");
  await expect(page.getByText(policy).first()).toBeVisible();
  await expect(page.getByText(guarded)).toHaveCount(0);

  await page.goto("/settings/people");
  await expect(tokens).not.toContainText("never used");
  await page.getByRole("button", { name: `Revoke the token ${token.slice(0, 9)}` }).click();
  await expect(tokens).toContainText("revoked");
  const after = await asked.mutate("policies.publishByName", { name: policy, source: "hooks: {}\n\n" });
  expect(after.status).toBe(401);
  expect((await asked.query("policies.list")).status).toBe(401);
  expect(await api.query("serviceAccounts.list")).toMatchObject([
    { name: account, tokens: [{ revokedAt: expect.any(Date) }] },
  ]);

  await page.getByRole("button", { name: `Remove ${account}` }).click();
  const confirm = page.getByRole("alertdialog");
  await expectAccessible(page);
  await confirm.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText("No service accounts yet")).toBeVisible();
  expect(await api.query("serviceAccounts.list")).toEqual([]);
});
