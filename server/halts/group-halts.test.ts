/** A halted group keeps its agents halted, whichever way they leave it. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestDatabase } from "../../e2e/fixtures/database.ts";
import type { TestGateway } from "../../e2e/fixtures/gateway.ts";
import { type HaltedAgent, type HaltsRig, haltsRig, isDenied } from "../../e2e/fixtures/halts-rig.ts";
import * as agents from "../agents/index.ts";
import * as halts from "./service.ts";

let rig: HaltsRig;
let db: TestDatabase;
let first: TestGateway;
let second: TestGateway;
beforeAll(async () => {
  rig = await haltsRig();
  ({ db, first } = rig);
  second = await rig.addGateway();
});
afterAll(() => rig?.close());
afterEach(() => rig.resumeAll());

let agent: HaltedAgent;
let other: HaltedAgent;
beforeEach(async () => {
  [agent, other] = [await rig.newAgent(), await rig.newAgent()];
});

describe("a halted group", () => {
  let groupId: string;
  const members = (agentIds: string[]) =>
    agents.setGroupMembers(db.database, first.running.app.bus, first.admin, { groupId, agentIds });
  const pattern = (namePattern: string | null) =>
    agents.setGroupMembers(db.database, first.running.app.bus, first.admin, { groupId, namePattern });
  const rename = (name: string) =>
    agents.rename(db.database, first.running.app.bus, first.admin, {
      agentId: agent.id,
      name: `${name} ${randomUUID()}`,
    });
  const byId = () => ({ agentId: agent.id });
  beforeEach(async () => {
    ({ groupId } = await agents.createGroup(db.database, first.running.app.bus, first.admin, {
      name: `group ${randomUUID()}`,
    }));
  });

  it("reaches the agents of a group, and those that join it", async () => {
    await members([agent.id]);
    const { id } = await rig.halt({ scope: "group", groupId });
    expect([await isDenied(second, agent), await isDenied(second, other)]).toEqual([true, false]);
    await members([agent.id, other.id]);
    await expect.poll(() => isDenied(second, other), { timeout: 10_000 }).toBe(true);
    await expect(
      agents.deleteGroup(db.database, first.running.app.bus, first.admin, { groupId }),
    ).rejects.toMatchObject({
      code: "group_in_use",
    });
    await rig.resume(id);
    expect([await isDenied(second, agent), await isDenied(second, other)]).toEqual([false, false]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["is taken out of the list of members", () => members([])],
    ["is replaced by another member", () => members([other.id])],
    ["does not match the new name pattern", () => pattern("nothing-*")],
    [
      "gets a name that its group's pattern does not match",
      async () => {
        await pattern("agent *");
        await rename("renamed");
      },
    ],
    [
      "is renamed while it is retired, and brought back",
      async () => {
        await pattern("agent *");
        await agents.retire(db.database, first.running.app.bus, first.admin, byId());
        await rename("elsewhere");
        await agents.restore(db.database, first.running.app.bus, first.admin, byId());
      },
    ],
    [
      "is retired, leaves its group, and is brought back",
      async () => {
        await agents.retire(db.database, first.running.app.bus, first.admin, byId());
        await members([]);
        await agents.restore(db.database, first.running.app.bus, first.admin, byId());
      },
    ],
    [
      "leaves, joins and leaves again",
      async () => {
        await members([]);
        await members([agent.id]);
        await members([]);
      },
    ],
    [
      "gets other tags and leaves",
      async () => {
        await agents.setTags(db.database, first.running.app.bus, first.admin, { agentId: agent.id, tags: ["other"] });
        await members([]);
      },
    ],
  ])("lets no agent go that %s: a person resumes it", async (_how, leave) => {
    await members([agent.id]);
    const { id } = await rig.halt({ scope: "group", groupId });
    await leave();
    // The gateway has heard of the change once the group's newest member is halted.
    await pattern(null);
    await members([other.id]);
    await expect.poll(() => isDenied(second, other), { timeout: 10_000 }).toBe(true);
    expect([await isDenied(first, agent), await isDenied(second, agent)]).toEqual([true, true]);
    const { halts: shown } = await halts.ofAgent(db.database, first.admin.workspaceId, { agentId: agent.id });
    expect(shown.map((one) => one.id)).toEqual([id]);
    await rig.resume(id);
    expect([await isDenied(first, agent), await isDenied(second, agent)]).toEqual([false, false]);
  });

  it("lets an agent go that left before the halt", async () => {
    await members([agent.id]);
    await members([other.id]);
    await rig.halt({ scope: "group", groupId });
    expect([await isDenied(first, agent), await isDenied(first, other)]).toEqual([false, true]);
  });
});
