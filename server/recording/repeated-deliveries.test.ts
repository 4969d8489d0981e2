import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deliveryOf, type Owner, type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { watchQueries } from "../../e2e/fixtures/watch-queries.ts";
import { createLog } from "../platform/log.ts";
import type { DispatchRecord } from "./dispatch-record.ts";
import { createRecorder } from "./service.ts";

let rig: RecordingRig;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());

/** Told under `name`; whoever is answered as the first gets its number back. */
const named = (owner: Owner, name: string, body: string, number = 0): DispatchRecord =>
  recordOf(owner, "pre_tool_use", JSON.stringify({ session_id: "s", said: body }), {
    delivery: deliveryOf(name, body),
    answer: { number },
    revision: `r${number}`,
    occurredAt: new Date(Date.UTC(2026, number % 5, 1)),
  });

describe("a report that is sent again", () => {
  test("is answered by one query a batch, as it was the first time, and mismatched bodies are told apart", async () => {
    const [one, other] = [await rig.addOwner(), await rig.addOwner()];
    const firsts = Array.from({ length: 900 }, (_, n) => named(n % 3 === 0 ? other : one, `name ${n}`, `body ${n}`, n));
    const before = await Promise.all(firsts.map((record) => rig.recorder.record(record, false)));
    expect(new Set(before.map(({ kind }) => kind))).toEqual(new Set(["stored"]));

    const batches: number[] = [];
    const recorder = createRecorder(rig.db.database.pool, rig.bus, createLog("silent"), {
      committed: (records) => void batches.push(records),
    });
    const watched = watchQueries(rig.db.database.pool);
    const isOther = (n: number) => n % 7 === 0;
    const again = await Promise.all(
      firsts.map((first, n) => {
        const body = isOther(n) ? "another body" : `body ${n}`;
        return recorder.record(named(first, `name ${n}`, body, n + 1_000), false);
      }),
    );
    watched.stop();
    const asked = watched.texts.filter((text) => text.includes("FROM delivery"));
    expect(batches).toEqual([1, 512, 387]);
    expect(asked).toHaveLength(batches.length);
    expect(again).toEqual(
      firsts.map(({ id, answer, revision }, n) =>
        isOther(n)
          ? { kind: "mismatched" }
          : { kind: "repeated", dispatchId: id, answer: JSON.stringify(answer), sealedAnswer: null, revision },
      ),
    );
    const { rows } = await rig.db.owner.query("SELECT FROM dispatch WHERE workspace_id = ANY ($1::uuid[])", [
      [one.workspaceId, other.workspaceId],
    ]);
    expect(rows).toHaveLength(firsts.length);
  });

  test("beside new events, and with a name many times, stores each name once", async () => {
    const owner = await rig.addOwner();
    const sealedAnswer = Buffer.from("sealed");
    const { delivery, ...first } = named(owner, "known", "known", 1);
    if (delivery === null) throw new Error("the record has no delivery");
    await rig.recorder.record({ ...first, delivery: { ...delivery, sealedAnswer } }, false);
    const records = Array.from({ length: 200 }, (_, n) => {
      if (n % 4 === 0) return named(owner, "known", "known", 2);
      if (n % 4 === 1) return named(owner, "twice", "twice", 3);
      return n % 4 === 2 ? named(owner, randomUUID(), "new", 4) : { ...named(owner, "", "plain", 5), delivery: null };
    });
    const recorded = await Promise.all(records.map((record) => rig.recorder.record(record, false)));
    const of = (place: number) => recorded.filter((_, n) => n % 4 === place);
    const answered = { dispatchId: first.id, answer: '{"number":1}', sealedAnswer, revision: "r1" };
    expect(of(0)).toEqual(of(0).map(() => ({ kind: "repeated", ...answered })));
    expect(of(1).map(({ kind }) => kind)).toEqual(["stored", ...Array.from({ length: 49 }, () => "repeated")]);
    expect(new Set([...of(2), ...of(3)].map(({ kind }) => kind))).toEqual(new Set(["stored"]));
  });
});
