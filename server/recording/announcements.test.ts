import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { watchQueries } from "../../e2e/fixtures/watch-queries.ts";
import { createBus } from "../events/index.ts";
import type { Topic } from "../events/schema.ts";
import { createLog } from "../platform/log.ts";
import { createRecorder } from "./service.ts";

let rig: RecordingRig;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());

test("what was recorded is heard at another node, and the transaction that recorded it sent no notify", async () => {
  const elsewhere = createBus(rig.db.url, createLog("silent"));
  await vi.waitUntil(() => rig.bus.isCurrent() && elsewhere.isCurrent(), { timeout: 10_000 });
  const heard = new Set<Topic>();
  const counted: Promise<number | null>[] = [];
  elsewhere.subscribe((workspaceId, topics) => {
    if (workspaceId !== rig.workspaceId) return;
    for (const topic of topics) heard.add(topic);
    counted.push(
      rig.db.owner
        .query("SELECT FROM dispatch WHERE workspace_id = $1", [rig.workspaceId])
        .then(({ rowCount }) => rowCount),
    );
  });
  const watched = watchQueries(rig.db.database.pool);
  const record = (event: string, text: string) => rig.recorder.record(recordOf(rig, event, text), false);
  await Promise.all([record("after_llm_call", '{"model_id":"m"}'), record("stop", '{"session_id":"s"}')]);
  await expect.poll(() => [...heard].sort()).toEqual(["agents", "budgets", "costs", "log", "overview", "sessions"]);
  watched.stop();
  expect(watched.texts).toContain("COMMIT");
  expect(watched.texts.filter((text) => /notify/i.test(text))).toEqual([]);
  // By then it was there to be heard of.
  expect((await Promise.all(counted))[0]).toBeGreaterThan(0);
  await elsewhere.close();
});

test("a record is acknowledged while nothing can be announced", async () => {
  const cut = createBus("postgres://nobody@127.0.0.1:1/none", createLog("silent"));
  const recorder = createRecorder(rig.db.database.pool, cut, createLog("silent"));
  expect(await recorder.record(recordOf(rig, "stop", "{}"), false)).toEqual({ kind: "stored" });
  await cut.close();
});
