/** The effect of a halt, counted before it is made. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newWorkspace } from "../../e2e/fixtures/browser.ts";
import type { TestDatabase } from "../../e2e/fixtures/database.ts";
import type { TestGateway } from "../../e2e/fixtures/gateway.ts";
import { type HaltedAgent, type HaltsRig, haltsRig } from "../../e2e/fixtures/halts-rig.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import type { HaltTarget } from "./schema.ts";
import * as halts from "./service.ts";

let rig: HaltsRig;
let db: TestDatabase;
let first: TestGateway;
beforeAll(async () => {
  rig = await haltsRig();
  ({ db, first } = rig);
});
afterAll(() => rig?.close());
afterEach(() => rig.resumeAll());

describe("the effect of a halt, before it is made", () => {
  const previewOf = (actor: Administrator, target: HaltTarget) =>
    halts.preview(db.database, actor.workspaceId, { target });
  const elsewhere = async (): Promise<Administrator> => ({
    kind: "script",
    workspaceId: await newWorkspace(db.database, `preview ${randomUUID()}`),
    id: "test",
    name: "test",
  });
  const addSessions = (actor: Administrator, { id }: HaltedAgent, ids: string, rest = "now(), NULL, NULL") =>
    db.owner.query(
      `INSERT INTO session (workspace_id, agent_id, session_id, agent_name, events, denied, compactions,
         calls_priced, calls_free, calls_unpriced, cost_nano, tokens, first_at, last_at, last_end_at, parent_session_id)
       SELECT $1, $2, one, 'x', 1, 0, 0, 0, 0, 0, 0, 0, now() - interval '1 day', ${rest} FROM ${ids} AS one`,
      [actor.workspaceId, id],
    );

  it("counts agents that are not retired and sessions that are running, of each scope", async () => {
    const actor = await elsewhere();
    const { bus } = first.running.app;
    const [agent, other, retired] = [
      await rig.newAgent("a", actor),
      await rig.newAgent("b", actor),
      await rig.newAgent("c", actor),
    ];
    await agents.retire(db.database, bus, actor, { agentId: retired.id });
    const { groupId } = await agents.createGroup(db.database, bus, actor, { name: "pair" });
    await agents.setGroupMembers(db.database, bus, actor, { groupId, agentIds: [agent.id] });
    await addSessions(actor, agent, "unnest(ARRAY['s1', 's2'])");
    await addSessions(actor, agent, "unnest(ARRAY['child'])", "now(), NULL, 's1'");
    await addSessions(actor, agent, "unnest(ARRAY['quiet'])", "now() - interval '11 minutes', NULL, NULL");
    await addSessions(actor, agent, "unnest(ARRAY['ended'])", "now(), now(), NULL");
    await addSessions(actor, other, "unnest(ARRAY['s1'])");
    const counts = async (target: HaltTarget) => {
      const { agents, sessions, agentsCut, sessionsCut } = await previewOf(actor, target);
      expect([agentsCut, sessionsCut]).toEqual([false, false]);
      return [agents, sessions];
    };
    expect(await counts({ scope: "workspace" })).toEqual([2, 4]);
    expect(await counts({ scope: "group", groupId })).toEqual([1, 3]);
    expect(await counts({ scope: "agent", agentId: other.id })).toEqual([1, 1]);
    expect(await counts({ scope: "session", agentId: agent.id, sessionId: "s1" })).toEqual([1, 2]);
    expect(await counts({ scope: "agent", agentId: randomUUID() })).toEqual([0, 0]);
    expect((await previewOf(await elsewhere(), { scope: "agent", agentId: agent.id })).agents).toBe(0);
  });

  it("says that it is cut at a thousand", async () => {
    const actor = await elsewhere();
    const agent = await rig.newAgent("busy", actor);
    await addSessions(actor, agent, "(SELECT n::text FROM generate_series(1, 1001) AS n)");
    expect(await previewOf(actor, { scope: "workspace" })).toEqual({
      agents: 1,
      sessions: 1_000,
      agentsCut: false,
      sessionsCut: true,
    });
  });
});
