/** A change of what binds agents, where a policy asks for four eyes: asked for, declined, agreed to, out of date, made. */
import type { Browser, Page } from "@playwright/test";
import superjson from "superjson";
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";
import { address, invite, join, stranger } from "./pages/accounts.ts";

const DENY = (word: string) => `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - {name: stop ${word}, type: command, command: 'if grep -q ${word}; then echo "${word} is denied" >&2; exit 2; fi'}
`;

const CHANGES = { name: "Assignment changes" };

async function secondPerson(browser: Browser, api: Script): Promise<Page> {
  const other = await stranger(browser);
  await join(other, await invite(api, address("grace"), "admin"), "Grace Hopper");
  return other;
}

/** A procedure as the person of this page asks for it. */
async function asPerson(page: Page, url: string, path: string, input: object): Promise<unknown> {
  const options = { headers: { origin: url }, data: superjson.serialize(input) };
  const response = await page.request.post(`${url}/api/trpc/${path}`, options);
  const { result } = (await response.json()) as { result?: { data: never } }; // tRPC's envelope
  if (!result) throw new Error(`${path} was refused: HTTP ${response.status()}`);
  return superjson.deserialize(result.data);
}

async function agentIdsOf(api: Script, names: readonly string[]): Promise<string[]> {
  const agents = await api.query("agents.list");
  return agents.filter(({ name }) => names.includes(name)).map(({ id }) => id);
}
const chosen = (agentIds: readonly string[]) => ({ scope: "chosen" as const, groupIds: [], agentIds: [...agentIds] });

/** Revision 2 of a policy with four eyes is in force for one agent. */
async function scene(api: Script) {
  const agent = await sender(api, "bound");
  const name = fresh("guarded");
  const { policyId } = await api.mutate("policies.create", { name });
  await api.mutate("policies.assign", { policyId, ...chosen(await agentIdsOf(api, [agent.agent])) });
  for (const word of ["one", "two"]) await api.mutate("policies.publishByName", { name, source: DENY(word) });
  await api.mutate("reviews.setFourEyes", { policyId, isOn: true });
  const denies = async (word: string) => {
    const input = { tool_name: "shell", tool_use_id: fresh("c"), tool_input: { cmd: word } };
    return ((await agent.send("pre_tool_use", input)) as { decision?: string }).decision === "block"; // hook output
  };
  return { policyId, name, agent: agent.agent, denies };
}

const liveOf = async (api: Script, policyId: string) => (await api.query("policies.get", { policyId })).liveRevision;

test("what binds agents changes when a second person agreed to exactly that, and not before", async ({
  page,
  api,
  browser,
}) => {
  test.slow();
  const other = await secondPerson(browser, api);
  const { policyId, name, agent, denies } = await scene(api);
  const rollBack = { kind: "roll_back" as const, input: { policyId, number: 1, expectedLive: 2 } };
  const ask = async (note: string) =>
    (await asPerson(page, api.url, "reviews.requestChange", { change: rollBack, note })) as { changeId: string }; // changeById

  // The dialog says that nothing has changed, and nothing has.
  await page.goto(`/policies/${policyId}?view=revisions&revision=1`);
  await page.getByRole("dialog").getByRole("button", { name: "Roll back…" }).click();
  await page.getByRole("button", { name: "Roll back to revision 1" }).click();
  const dialog = page.getByRole("dialog", { name: "This change needs a second person" });
  await expect(dialog).toContainText("Another person must accept this change. Nothing has changed yet.");
  expect([await liveOf(api, policyId), await denies("one"), await denies("two")]).toEqual([2, false, true]);
  await dialog.getByLabel("Note for the second person").fill("two was a mistake");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Ask a second person" }).click();
  await expect(page.getByText("The request is on the policy's page and on the Reviews page.")).toBeVisible();
  // The question that it began with is closed: what it said is answered.
  await expect(page.getByRole("alertdialog")).toHaveCount(0);

  // It is, for both; and who asked cannot agree.
  await page.goto(`/policies/${policyId}`);
  const mine = page.getByRole("list", CHANGES).getByRole("listitem");
  await expect(mine).toContainText("waiting for a second approver");
  await expect(mine.getByRole("button", { name: "Agree" })).toHaveCount(0);
  await other.goto("/policies");
  await other.getByRole("link", { name: "Reviews , 1 review waiting for you" }).click();
  const theirs = other.getByRole("list", CHANGES).getByRole("listitem");
  await expect(theirs).toContainText("two was a mistake");
  await expect(theirs).toContainText(`revision 1 of ${name}`);
  await expectAccessible(other);
  await theirs.getByRole("button", { name: "Decline" }).click();
  await expect(mine).toContainText("Grace Hopper declined this change.");
  await expect(theirs).toHaveCount(0);
  await expect(other.getByRole("link", { name: "Reviews", exact: true })).toHaveCount(1);
  expect(await liveOf(api, policyId)).toBe(2);

  // The assignment changes between the agreement and the change: it is asked for again.
  await ask("asked again");
  await theirs.getByRole("button", { name: "Agree" }).click();
  const agreed = mine.filter({ hasText: "asked again" });
  await expect(agreed).toContainText("Grace Hopper approved this change.");
  expect(await liveOf(api, policyId)).toBe(2);
  // To bind one more is one person's act.
  const another = await sender(api, "bound later");
  await api.mutate("policies.assign", { policyId, ...chosen(await agentIdsOf(api, [agent, another.agent])) });
  await agreed.getByRole("button", { name: "Apply change" }).click();
  await expect(agreed.getByRole("alert")).toContainText("The assignments have changed since this request");
  expect([await liveOf(api, policyId), await denies("two")]).toEqual([2, true]);
  await agreed.getByRole("button", { name: "Withdraw request" }).click();
  await expect(agreed).toHaveCount(0);

  const { changeId } = await ask("for both of them");
  await asPerson(other, api.url, "reviews.decideChange", { changeId, outcome: "approved" });
  await mine.filter({ hasText: "approved" }).getByRole("button", { name: "Apply change" }).click();
  await expect(page.getByText("Change applied")).toBeVisible();
  await expect(page.getByText("revision 1 in force", { exact: true })).toBeVisible();
  expect([await liveOf(api, policyId), await denies("one"), await denies("two")]).toEqual([1, true, false]);
  await page.goto("/audit?q=kind:binding_change_decided");
  for (const outcome of ["declined", "approved", "withdrawn", "applied"])
    await expect(
      page
        .getByRole("row")
        .filter({ hasText: `${outcome}: ` })
        .first(),
    ).toBeVisible();
  await other.context().close();
});

test("what four eyes mean is said as it is: a text of the past needs a second person too", async ({
  page,
  api,
  browser,
}) => {
  const other = await secondPerson(browser, api);
  const { policyId, name } = await scene(api);
  await page.goto(`/policies/${policyId}`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Second approver…" }).click();
  const dialog = page.getByRole("dialog", { name: `Second approver for ${name}` });
  await expect(dialog).toContainText("Rollbacks and changes that loosen");
  await expect(dialog).toContainText("also require a second person");
  await expect(dialog).toContainText("2 people in this workspace can review.");
  await dialog.getByRole("button", { name: "Request to require no second approver" }).click();
  await expect(dialog).toContainText("The requirement stays until another person agrees.");
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  await expect(api.mutate("policies.publishByName", { name, source: DENY("one") })).rejects.toThrow(/four eyes/);
  const rollBack = { policyId, number: 1, expectedLive: 2 };
  await expect(api.mutate("policies.rollBack", rollBack)).rejects.toThrow(/four eyes/);
  expect(await api.query("reviews.ofPolicy", { policyId })).toMatchObject({ fourEyes: true });
  await other.context().close();
});
