/** An evaluator from the form to its verdict and its call on the Judges page. */
import { parse } from "yaml";
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { type EvaluatorStub, evaluatorStub } from "./fixtures/evaluator-stub.ts";
import { sender } from "./fixtures/sender.ts";

let stub: EvaluatorStub;
test.beforeAll(async () => {
  stub = await evaluatorStub();
});
test.afterAll(() => stub.stop());

test("an evaluator is defined by form, decides a call, and its call is listed with its price", async ({
  page,
  api,
}) => {
  const connection = fresh("checks").replaceAll(" ", "-");
  const tool = fresh("tool").replaceAll(" ", "_");
  const prices = [{ model: "m-1", input: 1_000_000_000n, output: 0n, cachedInput: null, cacheWrite: null }];
  const shared = { provider: "typesafe" as const, baseUrl: stub.url, credential: "ts-e2e-never-shown-1234" };
  await api.mutate("judges.save", { name: connection, ...shared, prices, callsPerDay: null, nanoPerDay: null });

  const name = fresh("evaluated");
  const source = `profile: "2026-11"\nhooks:\n  tool_guard:\n    - matcher: ${tool}\n      hooks:\n        - type: command\n          command: exit 0\n`;
  const { policyId } = await api.mutate("policies.create", { name, source });
  await page.goto(`/policies/${policyId}`);
  await page.getByRole("radio", { name: "Rules", exact: true }).click();
  await page.getByRole("button", { name: /run exit 0/ }).click();
  const hook = page.getByRole("article", { name: /^Hook / });
  await hook.getByRole("combobox", { name: "Action" }).click();
  await page.getByRole("option", { name: "an evaluator of the policy" }).click();
  await hook.getByLabel("Name", { exact: true }).fill("destroys data");
  await hook.getByLabel("Evaluator", { exact: true }).fill("risk");
  await hook.getByRole("button", { name: "Define risk" }).click();
  await hook.getByLabel("Connection").fill(connection);
  await hook.getByLabel("Model").fill("m-1");
  await hook.getByLabel("Instructions").fill("Does it destroy data? stub yes");
  await hook.getByRole("combobox", { name: "Yes (true)" }).click();
  await page.getByRole("option", { name: "deny" }).click();
  await expect(hook.getByLabel("Minimum probability")).toHaveValue("0.8");
  await expectAccessible(page);

  await expect
    .poll(async () => parse((await api.query("policies.get", { policyId })).source))
    .toMatchObject({
      evaluators: {
        risk: { provider: connection, model: "m-1", type: "boolean", instructions: "Does it destroy data? stub yes" },
      },
      hooks: {
        tool_guard: [
          {
            hooks: [
              {
                type: "evaluator",
                evaluator: "risk",
                evaluator_policy: { decisions: { true: "deny" }, min_probability: 0.8, fallback: "ask" },
              },
            ],
          },
        ],
      },
    });
  const draft = await api.query("policies.get", { policyId });
  await api.mutate("policies.publishByName", {
    name: fresh("evaluated copy"),
    source: draft.source.replace("          command: exit 0\n", ""),
    note: "",
  });

  const { send } = await sender(api, "evaluated");
  const said = await send("tool_guard", { session_id: "s", tool_name: tool, tool_input: { cmd: "make" } });
  expect(JSON.stringify(said)).toContain("deny");

  await page.goto("/policies/judges?view=calls&range=1h");
  const row = page.getByRole("row").filter({ hasText: `${connection}/m-1` });
  await expect(row).toBeVisible({ timeout: 30_000 });
  await row.click();
  const drawer = page.getByRole("dialog");
  await expect(drawer.getByText("Evaluator", { exact: true })).toBeVisible();
  await expect(drawer).toContainText("stub-7");
  await expect(drawer).toContainText("$0.0003");
  await expectAccessible(page);
});
