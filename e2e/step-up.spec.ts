/** Step-up: a browser that proved nothing lately asks who sits at it, and then does what was asked of it. */
import { expect, expectAccessible, test } from "./fixtures/console.ts";
import { leftOpen, PASSWORD } from "./pages/accounts.ts";

test("a browser that was left open halts at once, and resumes once its owner has confirmed who they are", async ({
  page,
  browser,
  api,
}) => {
  const open = await leftOpen(page, browser, api);
  await open.goto("/audit/halts");
  await open.getByRole("button", { name: "Stop agents…", exact: true }).click();
  const act = open.getByRole("alertdialog");
  await act.getByRole("combobox", { name: "What to stop" }).click();
  await open.getByRole("option", { name: "The whole workspace" }).click();
  await act.getByLabel("Reason").fill("A key leaked");
  await act.getByRole("button", { name: "Halt now" }).click();
  await expect(act).toBeHidden();
  expect(await api.query("halts.inForce")).toMatchObject({ count: 1 });

  const row = open.getByRole("list", { name: "Halts in force" }).getByRole("listitem");
  await row.getByRole("button", { name: "Resume…" }).click();
  await act.getByLabel("Reason for resuming").fill("The key is replaced");
  await act.getByRole("button", { name: "Resume" }).click();
  const asks = open.getByRole("dialog", { name: "Confirm your identity" });
  await expect(asks).toContainText("To resume what was halted, confirm that it is you.");
  await expectAccessible(open);

  // Closed, nothing has happened, and the dialog behind says why.
  await open.keyboard.press("Escape");
  await expect(asks).toBeHidden();
  await expect(act.getByRole("alert")).toContainText("confirm that it is you");
  expect(await api.query("halts.inForce")).toMatchObject({ count: 1 });

  await act.getByRole("button", { name: "Resume" }).click();
  await asks.getByLabel("Password").fill("not the password");
  await open.keyboard.press("Enter");
  await expect(asks.getByRole("alert")).toContainText("Wrong password.");
  await open.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(open);
  await asks.getByLabel("Password").fill(PASSWORD);
  await asks.getByRole("button", { name: "Confirm" }).click();
  await expect(asks).toBeHidden();
  await expect(act).toBeHidden();
  await expect(open.getByText("No halts")).toBeVisible();
  expect(await api.query("halts.inForce")).toMatchObject({ count: 0 });

  await open.goto("/audit");
  await expect(open.getByText("confirmed who they are (password)").first()).toBeVisible();
  await expect(open.getByText("tried to confirm who they are, and failed (password)").first()).toBeVisible();
});
