/** Four eyes hold against what one person made before, and against what one person does to an agent. */
import { expect, it } from "vitest";
import {
  apply,
  audited,
  bus,
  codeOf,
  db,
  decide,
  olga,
  openReviewedWorkspace,
  request,
  scene,
  setFourEyes,
  workspaceId,
} from "../../e2e/fixtures/reviewed-workspace.ts";
import * as agents from "../agents/index.ts";
import { listInForce } from "../exceptions/repository.ts";
import { uuidv7 } from "../platform/ids.ts";
import * as policies from "../policies/index.ts";

openReviewedWorkspace();

async function exceptionFrom(policyIds: readonly string[]): Promise<string> {
  const id = uuidv7();
  const rules = policyIds.map((policyId) => ({ policyId, policy: "p", revision: 1, path: "x", sha256: "00" }));
  await db().pool.query(
    `INSERT INTO policy_exception (workspace_id, id, scope, about, tool_name, command, input, rules, lifts, reason, made_by,
       made_by_id, expires_at)
     VALUES ($1, $2, 'workspace', '', 'shell', '{ls,docs}', '', $3, 'question', 'why', 'Olga', $4, now() + interval '1 hour')`,
    [workspaceId, id, JSON.stringify(rules), olga.id],
  );
  return id;
}
const inForce = async () => (await listInForce(db().pool, workspaceId)).filter(({ rules }) => rules.length > 0);

it("exceptions of a policy end when it gets four eyes, each with an entry, and no others", async () => {
  const { policyId, otherId } = await scene();
  const [own, both, other] = [
    await exceptionFrom([policyId]),
    await exceptionFrom([otherId, policyId]),
    await exceptionFrom([otherId]),
  ];
  expect((await inForce()).map(({ id }) => id).toSorted()).toEqual([own, both, other].toSorted());
  await setFourEyes(policyId, true);
  expect((await inForce()).map(({ id }) => id)).toEqual([other]);
  const ended = await audited("exception_ended");
  expect(ended.map(({ exception }) => exception).toSorted()).toEqual([own, both].toSorted());
  expect(ended[0]?.reason).toContain("four eyes");
  await setFourEyes(policyId, true);
  expect(await audited("exception_ended")).toHaveLength(2);
});

it("one that is made while four eyes are switched on lifts nothing of that policy", async () => {
  const { policyId, otherId } = await scene();
  await setFourEyes(policyId, true);
  await exceptionFrom([policyId]);
  const both = await exceptionFrom([policyId, otherId]);
  expect(await inForce()).toMatchObject([{ id: both, rules: [{ policyId: otherId }] }]);
});

async function removal(agentId: string): Promise<string> {
  await agents.retire(db(), bus, olga, { agentId });
  return codeOf(agents.remove(db(), bus, olga, { agentId }));
}

it("an agent in a group under four eyes is not removed before a second person takes it out", async () => {
  const { policyId, groupId, agentIds } = await scene();
  const [named = "", agentId = ""] = agentIds;
  await setFourEyes(policyId, true);
  expect(await removal(agentId)).toBe("review_required");
  expect(await codeOf(agents.create(db(), bus, olga, { name: "two" }))).toBe("name_taken");
  const { changeId } = await request({ kind: "set_group_members", input: { groupId, agentIds: [named] } }, olga);
  await decide(changeId);
  await apply(changeId, olga);
  expect(await codeOf(agents.remove(db(), bus, olga, { agentId }))).toBe("done");
});

it("nor one under four eyes by a tag", async () => {
  const { policyId, otherId } = await scene();
  const { agentId } = await agents.create(db(), bus, olga, { name: "tagged" });
  await agents.setTags(db(), bus, olga, { agentId, tags: ["prod"] });
  await policies.assign(db(), bus, olga, { policyId, scope: "chosen", groupIds: [], agentIds: [], tags: ["prod"] });
  await setFourEyes(policyId, true);
  expect(await removal(agentId)).toBe("review_required");
  const { agentId: free } = await agents.create(db(), bus, olga, { name: "free" });
  await agents.setTags(db(), bus, olga, { agentId: free, tags: ["dev"] });
  await policies.assign(db(), bus, olga, {
    policyId: otherId,
    scope: "chosen",
    groupIds: [],
    agentIds: [],
    tags: ["dev"],
  });
  expect(await removal(free)).toBe("done");
});
