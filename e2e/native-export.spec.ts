/** The export for docker-agent: a policy that would lose a gate is refused, and another release is chosen. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";

const POLICY = `hooks:
  session_start:
    - { name: greet, type: command, command: "true" }
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - { name: ask first, type: builtin, command: safer_shell }
`;

test("an old gate is refused for a current docker-agent, and exported for the one on which it asks", async ({
  page,
  api,
}) => {
  const [policy, agent] = [fresh("shell"), fresh("builder")];
  await api.key(agent);
  await api.mutate("policies.publishByName", { name: policy, source: POLICY, note: "" });
  const { id } = (await api.query("agents.names")).find(({ name }) => name === agent) ?? {};

  await page.goto(`/agents/${id}`);
  await page.getByRole("button", { name: "Export for docker-agent" }).click();
  const dialog = page.getByRole("dialog", { name: "Export for docker-agent" });
  await expect(dialog.getByLabel("Release of docker-agent")).toContainText("1.147 and later");
  const lost = dialog.getByRole("list", { name: "Gates that the export would lose" });
  await expect(lost).toContainText("ask first on pre_tool_use");
  await expect(lost).toContainText("only labels commands with safer_shell and asks nobody");
  await expect(dialog.getByRole("button", { name: "Download YAML" })).toBeDisabled();
  await expectAccessible(page);

  await dialog.getByLabel("Release of docker-agent").click();
  await page.getByRole("option", { name: "1.100 to 1.107" }).click();
  await expect(lost).toHaveCount(0);
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download YAML" }).click();
  const text = readFileSync(await (await download).path(), "utf8");
  expect(text).toContain("# For docker-agent 1.100 to 1.107");
  expect(parse(text)).toEqual({ agents: { [agent]: { hooks: parse(POLICY).hooks } } });
  await expectAccessible(page);

  // A policy is exported by itself, from its own menu.
  const policyId = (await api.query("policies.list", {})).find(({ name }) => name === policy)?.id;
  await page.goto(`/policies/${policyId}`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Export for docker-agent" }).click();
  await expect(dialog).toContainText("the policy would lose a gate.");
});
