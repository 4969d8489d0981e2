/** A token is made, a machine joins with it and is governed, and the token is revoked. */
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";

test("a machine joins with a token, is halted like any agent, and no other joins once the token is revoked", async ({
  page,
  api,
}) => {
  const name = fresh("runners");
  const join = (token: string, machine: string) =>
    fetch(`${api.url}/api/v1/join`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ name: machine }),
    });

  await page.goto("/agents/enrolment");
  await page.getByRole("button", { name: "New token" }).click();
  const dialog = page.getByRole("dialog", { name: "New enrolment token" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Machines").fill("many");
  await dialog.getByRole("button", { name: "Create token" }).click();
  await expect(dialog).toContainText("Enter a whole number of machines.");
  await dialog.getByLabel("Machines").fill("2");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create token" }).click();
  const token = (await page.getByTestId("new-token").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("list", { name: "Enrolment tokens" }).getByRole("listitem").filter({ hasText: name });
  await expect(row).toContainText("0 of 2 machines joined");

  const machine = fresh("machine");
  const joined = await join(token, machine);
  expect(joined.status).toBe(201);
  const { agent_id: agentId, key } = (await joined.json()) as { agent_id: string; key: string };
  await expect(row).toContainText("1 of 2 machines joined");
  await expect(row.getByRole("link", { name: machine })).toHaveAttribute("href", `/agents/${agentId}`);
  const call = async () => {
    const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_use_id: fresh("c"), tool_input: { cmd: "ls" } }),
    });
    return response.text();
  };
  expect(await call()).not.toContain('"block"');
  await api.mutate("halts.halt", { target: { scope: "agent", agentId }, reason: "Looks wrong" });
  expect(await call()).toContain("Looks wrong");
  await expectAccessible(page);

  await row.getByRole("button", { name: `Revoke the token ${name}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke token" }).click();
  await expect(row).toContainText("revoked");
  const refused = await join(token, fresh("machine"));
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain("was revoked");
});
