/** Delivery: every event arrives, in order, whatever the receiver does. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { accept, answer, breakOff } from "../../e2e/fixtures/stream-receivers.ts";
import { idsOf, type StreamRig, streamRig } from "../../e2e/fixtures/stream-rig.ts";
import * as record from "./check.ts";
import * as service from "./service.ts";
import * as setAside from "./set-aside.ts";

let scene: StreamRig;
beforeAll(async () => {
  scene = await streamRig();
});
afterAll(() => scene?.close());
afterEach(() => scene.reset());

test("every event of the record arrives once, in its order, with its hash in the chain", async () => {
  const at = await scene.tenant();
  await Promise.all(Array.from({ length: 40 }, () => scene.call(at)));
  await scene.act(at, "first");
  await scene.call(at, "after_llm_call", { model_id: "m", cost: 0.25, usage: { input_tokens: 3 } });
  const id = await scene.made(at);
  await scene.drain(at, id);
  const lines = scene.http.lines();
  expect(idsOf(lines)).toEqual(await scene.expected(at));
  expect(lines.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["decision", "administration", "cost"]));
  const leaf = await scene.rig.db.owner.query(
    "SELECT substr(leaves, 1, 43) AS leaf FROM chain_batch WHERE workspace_id = $1 ORDER BY seq LIMIT 1",
    [at.workspaceId],
  );
  expect(lines[0]).toMatchObject({ hash: leaf.rows[0]?.leaf, call: { tool: "shell", verdict: "deny", reason: "no" } });
  expect(await scene.view(at)).toMatchObject({ events: lines.length, setAside: 0, resent: 0, removed: 0, error: null });
});

test("events that are recorded while a stream is sent follow it", async () => {
  const at = await scene.tenant();
  const id = await scene.made(at, { batchMax: 7 });
  const sender = scene.job();
  sender.start();
  try {
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 9 }, () => scene.call(at)));
    const all = await scene.expected(at);
    await expect.poll(() => scene.http.lines().length, { timeout: 20_000 }).toBe(all.length);
    expect(idsOf(scene.http.lines())).toEqual(all);
  } finally {
    await sender.stop();
  }
  expect((await record.check(scene.rig.db.database, at.workspaceId, { id, after: null })).differing).toEqual([]);
});

test("a filter by kind and agent leaves out the rest, and the position passes it", async () => {
  const at = await scene.tenant();
  const other = await scene.rig.addOwner(at.workspaceId);
  await scene.call(at);
  await scene.call({ ...at, agentId: other.agentId });
  await scene.call(at, "session_start");
  await scene.act(at, "not sent");
  const id = await scene.made(at, { kinds: ["decision"], agentsMode: "except", agents: [other.agentId] });
  await scene.drain(at, id);
  expect(scene.http.lines()).toMatchObject([{ kind: "decision", call: { agentId: at.agentId } }]);
  const now = await scene.view(at);
  expect(now).toMatchObject({ events: 1, seq: now?.head });
});

test("a receiver that is down, full or breaks off gets everything later, and possible doubles are counted", async () => {
  const at = await scene.tenant();
  await Promise.all(Array.from({ length: 20 }, () => scene.call(at)));
  const id = await scene.made(at, { batchMax: 5 });
  await scene.http.kill();
  await scene.job().turn();
  expect(await scene.view(at)).toMatchObject({
    events: 0,
    attempts: 1,
    resent: 0,
    error: expect.stringContaining("ECONNREFUSED"),
  });
  await scene.http.restart();
  scene.http.behave(answer(507));
  await scene.due(id);
  await scene.job().turn();
  expect(await scene.view(at)).toMatchObject({
    events: 0,
    attempts: 2,
    status: 507,
    error: expect.stringContaining("full"),
  });
  scene.http.behave(breakOff);
  await scene.due(id);
  await scene.job().turn();
  scene.http.behave(accept);
  await scene.drain(at, id);
  expect(idsOf(scene.http.lines())).toEqual(await scene.expected(at));
  expect((await scene.view(at))?.resent).toBe(10);
});

test("a slow receiver ends at the time limit, and another stream is not held up by it", async () => {
  const [slow, quick] = [await scene.tenant(), await scene.tenant()];
  for (const at of [slow, quick]) await scene.call(at);
  await scene.made(slow, { address: `${scene.http.url}/slow` });
  await scene.made(quick, { address: `${scene.http.url}/quick` });
  scene.http.behave((request, response) => (request.path === "/slow" ? undefined : accept(request, response)));
  await scene.job({ requestMs: 200 }).turn();
  expect(await scene.view(slow)).toMatchObject({ events: 0, error: "It did not answer in time." });
  expect((await scene.view(quick))?.events).toBeGreaterThan(0);
});

test("an event that the receiver refuses is set aside with its reason, and the stream goes on", async () => {
  const at = await scene.tenant();
  await Promise.all(Array.from({ length: 8 }, () => scene.call(at)));
  await scene.call(at, "pre_tool_use", { tool_input: { cmd: "poison" } });
  await Promise.all(Array.from({ length: 8 }, () => scene.call(at)));
  const id = await scene.made(at);
  scene.http.behave((request, response) => answer(request.body.includes("poison") ? 400 : 200)(request, response));
  await scene.drain(at, id);
  const [refused, ...more] = await setAside.list(scene.rig.db.database, at.workspaceId, { id });
  expect([refused, more]).toMatchObject([{ kind: "decision", status: 400, reason: "It answered 400." }, []]);
  const all = await scene.expected(at);
  const sent = idsOf(scene.http.lines()).filter((one) => one !== "0.0");
  expect(sent).toEqual(all.filter((one) => one !== `${refused?.seq}.${refused?.place}`));
  expect(await scene.view(at)).toMatchObject({ events: all.length, setAside: 1 });
  expect(await record.check(scene.rig.db.database, at.workspaceId, { id, after: null })).toMatchObject({
    ...{ sent: all.length, recorded: all.length, differing: [], next: null },
  });
});

test("events that were set aside are sent again: accepted ones leave the list, the rest stay with the new reason", async () => {
  const at = await scene.tenant();
  for (const cmd of ["poison", "fine", "poison and venom"])
    await scene.call(at, "pre_tool_use", { tool_input: { cmd } });
  const id = await scene.made(at, { kinds: ["decision"] });
  const refuse = (word: string, status: number) =>
    scene.http.behave((request, response) => answer(request.body.includes(word) ? status : 200)(request, response));
  refuse("poison", 400);
  await scene.drain(at, id);
  const { database } = scene.rig.db;
  const listed = () => setAside.list(database, at.workspaceId, { id });
  expect(await listed()).toHaveLength(2);

  scene.http.behave(answer(503));
  const failed = await setAside.sendAgain(scene.world, at.actor, { id });
  expect(failed).toEqual({ accepted: 0, refused: 0, removed: 0, error: "It answered 503." });
  expect(await listed()).toHaveLength(2);

  scene.http.requests.length = 0;
  refuse("venom", 422);
  const partly = await setAside.sendAgain(scene.world, at.actor, { id });
  expect(partly).toEqual({ accepted: 1, refused: 1, removed: 0, error: null });
  expect(await listed()).toMatchObject([{ status: 422, reason: "It answered 422." }]);
  const sent = scene.http.lines().filter((line) => line.id !== "0.0");
  expect(sent).toMatchObject([{ call: { input: expect.stringContaining('"poison"') } }]);
  expect(await scene.view(at)).toMatchObject({ events: 3, setAside: 1 });

  await scene.rig.db.owner.query("DELETE FROM dispatch WHERE workspace_id = $1", [at.workspaceId]);
  const gone = await setAside.sendAgain(scene.world, at.actor, { id });
  expect(gone).toEqual({ accepted: 0, refused: 0, removed: 1, error: null });
  expect(await listed()).toEqual([]);
  const entries = await scene.rig.db.owner.query(
    "SELECT body::json AS body FROM audit_entry WHERE workspace_id = $1 AND kind = 'stream_events_resent' ORDER BY seq",
    [at.workspaceId],
  );
  expect(entries.rows.map(({ body }) => body)).toMatchObject([
    { accepted: 1, refused: 1, removed: 0 },
    { accepted: 0, refused: 0, removed: 1 },
  ]);
});

test("a receiver that refuses everything loses nothing: the stream waits", async () => {
  const at = await scene.tenant();
  await scene.call(at);
  const id = await scene.made(at);
  scene.http.behave(answer(400));
  await scene.job().turn();
  expect(await scene.view(at)).toMatchObject({ events: 0, setAside: 0, error: expect.stringContaining("test event") });
  scene.http.behave(accept);
  await scene.drain(at, id);
  expect(idsOf(scene.http.lines())).toEqual(await scene.expected(at));
});

test("a stream can send a part of the record again", async () => {
  const at = await scene.tenant();
  for (let index = 0; index < 4; index += 1) await scene.call(at);
  const id = await scene.made(at, { kinds: ["decision"] });
  await scene.drain(at, id);
  const before = idsOf(scene.http.lines());
  await service.rewind(scene.world, at.actor, { id, seq: 0 });
  await scene.drain(at, id);
  expect(idsOf(scene.http.lines())).toEqual([...before, ...before]);
  await expect(service.rewind(scene.world, at.actor, { id, seq: 1_000_000 })).rejects.toThrow("no such entry");
});
