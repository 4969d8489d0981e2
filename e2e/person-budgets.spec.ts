/** A budget of a person: made on the page, refuses calls of their agents, found and grouped by person. */
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { found } from "./fixtures/script.ts";

test("a budget of a service refuses the calls of its agents, and is found and grouped by it", async ({ page, api }) => {
  const [agent, other, service] = [fresh("worker"), fresh("other"), fresh("nightly build")];
  const [key, otherKey] = [await api.key(agent), await api.key(other)];
  const source = "hooks:\n  before_llm_call:\n    - {name: purse, type: builtin, command: budget_guard}\n";
  await api.mutate("policies.publishByName", { name: fresh("budget policy"), source, note: "" });
  const agentId = found((await api.query("agents.names")).find((one) => one.name === agent)).id;
  await api.mutate("principals.setOwner", { agentId, owner: { kind: "service", name: service } });

  await page.goto("/spend/budgets");
  await page.getByRole("button", { name: "New budget" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "For" }).fill("each session");
  await dialog.getByRole("option", { name: "Each session" }).click();
  await expect(dialog.getByLabel("Name")).toHaveValue("Each session");
  await dialog.getByRole("combobox", { name: "For" }).fill(service);
  await dialog.getByRole("option", { name: service }).click();
  await expect(dialog.getByLabel("Name")).toHaveValue("Personal budget, each day");
  const name = fresh("for the build");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Amount in dollars").fill("1");
  await dialog.getByLabel(/^Maximum cost of one call/).fill("0.60");
  await expect(dialog.getByText(`The budget blocks ${agent}.`)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save budget" }).click();
  const row = page.getByRole("list", { name: "Budgets" }).getByRole("listitem").filter({ hasText: name });
  await expect(row).toContainText("1 agent works for them now.");
  await expect(page.getByText("Calls of an unknown person do not count.")).toBeVisible();

  const ask = async (bearer: string) => {
    const response = await fetch(`${api.url}/api/v1/hooks/before_llm_call`, {
      method: "POST",
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: agent, model_id: "lab/one", iteration: 1 }),
    });
    return ((await response.json()) as { decision?: string }).decision ?? "none"; // hook output JSON
  };
  expect([await ask(key), await ask(key), await ask(otherKey)]).toEqual(["none", "block", "none"]);
  await expect(row).toContainText("$0.60 reserved");

  await page.getByRole("combobox", { name: "Filter budgets" }).fill(`person:${service.slice(0, 7)}`);
  await page.getByRole("option", { name: service }).click();
  await expect(row).toBeVisible();
  await page.getByRole("radio", { name: "By person" }).click();
  const group = page.getByRole("region", { name: service });
  await expect(group.getByRole("listitem")).toHaveCount(1);
  await expectAccessible(page);
  await group.getByRole("button", { name }).click();
  await expect(dialog).toContainText("Calls that were made for this person");
  await expectAccessible(page);
  await dialog.getByRole("link", { name: service }).click();
  await expect(page).toHaveURL(/\/agents\/people\//);
});
