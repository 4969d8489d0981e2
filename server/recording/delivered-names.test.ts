import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deliveryOf, type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { watchQueries } from "../../e2e/fixtures/watch-queries.ts";
import { createDeliveredNames } from "./delivered-names.ts";

let rig: RecordingRig;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());

const idOf = (name: string) => deliveryOf(name, "").eventId;

describe("names that are looked up at once", () => {
  test("share a query, and each caller gets its own: no agent and no workspace sees another's", async () => {
    const [one, other] = [await rig.addOwner(), await rig.addOwner()];
    const colleague = await rig.addOwner(one.workspaceId);
    for (const [owner, name] of [[one, "a"] as const, [one, "b"] as const, [other, "c"] as const])
      await rig.recorder.record(recordOf(owner, "stop", "{}", { delivery: deliveryOf(name, "") }), false);
    const names = createDeliveredNames(rig.db.database.pool);
    const all = [idOf("a"), idOf("b"), idOf("c"), idOf("new")];
    const watched = watchQueries(rig.db.database.pool);
    const found = await Promise.all(
      [one, other, colleague, one, other].map(({ workspaceId, agentId }, at) =>
        names.find(workspaceId, agentId, at < 3 ? all : [idOf("b")]),
      ),
    );
    watched.stop();
    const [a, b, c] = [idOf("a"), idOf("b"), idOf("c")];
    expect(found.map((ids) => [...ids].toSorted())).toEqual([[a, b].toSorted(), [c], [], [b], []]);
    // The first is sent at once; the others came while it was under way.
    expect(watched.texts.filter((text) => text.includes("FROM delivery"))).toHaveLength(2);
  });

  test("are split where they are too many for a query", async () => {
    const names = createDeliveredNames(rig.db.database.pool);
    const many = Array.from({ length: 900 }, (_, n) => idOf(`many ${n}`));
    const watched = watchQueries(rig.db.database.pool);
    const found = await Promise.all(Array.from({ length: 5 }, () => names.find(rig.workspaceId, rig.agentId, many)));
    watched.stop();
    expect(found.map(({ size }) => size)).toEqual([0, 0, 0, 0, 0]);
    expect(watched.texts.filter((text) => text.includes("FROM delivery"))).toHaveLength(3);
  });

  test("fail together, and the next ones are looked up again", async () => {
    const names = createDeliveredNames(rig.db.database.pool);
    const asked = (id: string) => names.find(rig.workspaceId, rig.agentId, [id]);
    const failed = await Promise.allSettled([asked("no uuid"), asked("none either"), asked(idOf("x"))]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await asked(idOf("x"))).toEqual(new Set());
  });
});
