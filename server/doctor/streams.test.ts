import { afterAll, beforeAll, expect, test } from "vitest";
import { answer } from "../../e2e/fixtures/stream-receivers.ts";
import { type StreamRig, streamRig } from "../../e2e/fixtures/stream-rig.ts";
import { inWorkspace } from "../platform/scope.ts";
import { findProgress } from "../streams/index.ts";
import { streams } from "./streams.ts";

let scene: StreamRig;
beforeAll(async () => {
  scene = await streamRig();
});
afterAll(() => scene?.close());

test("a stream that fails, is late or sets events aside is named, and the metrics count it", async () => {
  const at = await scene.tenant();
  const { database } = scene.rig.db;
  const { workspaceId } = at;
  const found = (minutes = 0) =>
    inWorkspace(workspaceId, () => streams({ db: database, workspaceId }, new Date(Date.now() + minutes * 60_000)));
  const age = async (minutes: number) => {
    // In the first hours of a month, the rows move into the one before.
    await scene.rig.db.owner.query(
      "SELECT quarterdeck_add_chain_month((date_trunc('month', now()) - interval '1 month')::date)",
    );
    await scene.rig.db.owner.query(
      "UPDATE chain_batch SET recorded_at = recorded_at - $2 * interval '1 minute' WHERE workspace_id = $1",
      [workspaceId, minutes],
    );
  };
  expect(await found()).toMatchObject({ state: "ok", says: "No stream is on." });
  const id = await scene.made(at, { kinds: ["decision"] });
  expect(await found()).toMatchObject({ state: "ok", says: "1 stream is on and up to date." });

  await scene.call(at);
  await age(3);
  expect(await found()).toMatchObject({
    ...{ state: "warning", says: "Streams are behind the record: siem (3 min behind)." },
  });
  scene.http.behave(answer(503));
  await scene.job().turn();
  expect(await found()).toMatchObject({
    ...{
      state: "warning",
      says: "The receiver did not accept the last events of siem (3 min behind; it answered 503).",
    },
  });
  const progress = await findProgress(database.pool);
  expect([progress.failing, Math.round(progress.behindMs / 60_000)]).toEqual([1, 3]);
  await age(120);
  expect(await found()).toMatchObject({ state: "failure", says: expect.stringContaining("2 h behind") });

  scene.http.behave((request, response) => answer(request.body.includes("tool") ? 400 : 200)(request, response));
  await scene.drain(at, id);
  expect(await found(1)).toMatchObject({
    ...{ state: "warning", says: expect.stringContaining("Receivers refused 1 event") },
  });
  expect(await found(25 * 60)).toMatchObject({ state: "ok" });
  expect(await findProgress(database.pool)).toEqual({ failing: 0, behindMs: 0 });
});
