/** A session that goes in circles: people are asked, then it is halted by the rule, and a person resumes it. */
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { expectNotice } from "./fixtures/notices.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: "^shell$"
      hooks:
        - type: builtin
          command: repeat_guard
          args: ["same call 3 in 10m: ask", "same call 5 in 10m: halt"]
        - { type: builtin, command: ask_a_person, args: ["", "when asked"] }
`;

interface HookOutput {
  readonly continue?: boolean;
  readonly reason?: string;
  readonly hook_specific_output?: {
    readonly permission_decision?: string;
    readonly permission_decision_reason?: string;
  };
}

/** An agent under the policy; answers how it calls the shell. */
async function looping(api: Script) {
  const name = fresh("guarded");
  const agent = fresh("looper");
  const key = await api.key(agent);
  await api.mutate("policies.create", { name });
  await api.mutate("policies.publishByName", { name, source: POLICY });
  const call = async (session: string, waitSeconds?: number): Promise<HookOutput> => {
    const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...(waitSeconds === undefined ? {} : { "quarterdeck-wait-seconds": String(waitSeconds) }),
      },
      body: JSON.stringify({
        ...{ session_id: session, tool_name: "shell", tool_use_id: fresh("c"), tool_input: { cmd: "npm test" } },
      }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as HookOutput; // hook output
  };
  return { agent, call };
}

test("a looping session is asked about, halted by the rule, and resumed by a person", async ({ page, api }) => {
  const { agent, call } = await looping(api);
  expect([await call("loop"), await call("loop")]).toEqual([{}, {}]);

  await page.goto("/approvals");
  const third = call("loop", 60);
  const card = page.getByRole("region", { name: /^QD-\d+ · / });
  await expect(card).toContainText(`${agent} wants to use shell`);
  await expect(card).toContainText("the tool shell was called 3 times with the same input within 10 min");
  await card.getByRole("button", { name: "Allow once" }).click();
  expect((await third).hook_specific_output?.permission_decision).toBe("allow");
  const fourth = await call("loop");
  expect(fourth.hook_specific_output?.permission_decision_reason).toMatch(/^Approval required: QD-\d+/);

  const fifth = await call("loop");
  expect(fifth.continue).toBe(false);
  expect(fifth.reason).toContain("by repeat_guard: Runaway rule: the tool shell was called 5 times");
  expect(await call("other")).toEqual({});

  await page.goto("/audit/halts");
  const row = page.getByRole("list", { name: "Halts in force" }).getByRole("listitem");
  await expect(row).toContainText("repeat_guard");
  await expect(row).toContainText("was called 5 times with the same input within 10 min");
  await expectAccessible(page);
  await page.goto("/activity");
  await expectNotice(page, "Halted", "is halted");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("link", { name: "Show halts" }).click();
  await row.getByRole("button", { name: "Resume…" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByLabel("Reason for resuming").fill("It watched a slow test");
  await dialog.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("No halts")).toBeVisible();
  expect(await call("loop")).toEqual({});

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/audit");
  await expect(
    page.getByText(/halted the session loop.*Runaway rule: the tool shell was called 5 times/),
  ).toBeVisible();
});
