import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deliveryOf, type Owner, type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { watchQueries } from "../../e2e/fixtures/watch-queries.ts";
import { createLog } from "../platform/log.ts";
import type { DispatchRecord } from "./dispatch-record.ts";
import { createRecorder, type Recorder } from "./service.ts";

let rig: RecordingRig;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());

const newRecorder = (): Recorder => createRecorder(rig.db.database.pool, rig.bus, createLog("silent"));

const question = (owner: Owner, name: string, more: Partial<DispatchRecord> = {}): DispatchRecord =>
  recordOf(owner, "pre_tool_use", `{"session_id":"s","tool_name":"shell","said":"${name}"}`, {
    ...{ origin: "dispatch", delivery: deliveryOf(name, name) },
    ...more,
  });

/** The statements of a commit of `records`, each by its first words. */
async function statementsOf(recorder: Recorder, records: readonly DispatchRecord[]) {
  // The first of them is then under way alone, and the others share the next commit.
  await recorder.flush();
  const watched = watchQueries(rig.db.database.pool);
  const recorded = await Promise.all(records.map((record) => recorder.record(record, true)));
  watched.stop();
  const texts = watched.texts.filter((text) => !/quarterdeck_add|set_config|FROM delivery/.test(text));
  return { kinds: recorded.map(({ kind }) => kind), texts: texts.map((text) => text.trim().slice(0, 12)) };
}

/** The rows of the log and the entries of the chain that are there. */
async function logOf({ workspaceId }: Owner): Promise<unknown> {
  const { rows } = await rig.db.owner.query(
    `SELECT (SELECT count(*)::int FROM dispatch WHERE workspace_id = $1) AS dispatches,
       (SELECT count(*)::int FROM delivery WHERE workspace_id = $1) AS deliveries,
       (SELECT sum(count)::int FROM chain_batch WHERE workspace_id = $1) AS leaves`,
    [workspaceId],
  );
  return rows[0];
}

describe("records that are new", () => {
  test("are claimed, stored and chained by one statement without a transaction around it", async () => {
    const owner = await rig.addOwner();
    const recorder = newRecorder();
    const first = await statementsOf(recorder, [question(owner, "one")]);
    expect(first).toEqual({ kinds: ["stored"], texts: ["WITH claimed"] });
    const unnamed = { ...question(owner, "none"), delivery: null };
    const more = await statementsOf(recorder, [question(owner, "two"), question(owner, "three"), unnamed]);
    expect(new Set(more.texts)).toEqual(new Set(["WITH claimed"]));
    expect(await logOf(owner)).toEqual({ dispatches: 4, deliveries: 3, leaves: 4 });
  });

  test("of two workspaces, or under one name, are claimed first", async () => {
    const [owner, other] = [await rig.addOwner(), await rig.addOwner()];
    const recorder = newRecorder();
    const both = await statementsOf(recorder, [question(owner, "alone"), question(owner, "a"), question(other, "a")]);
    expect(both.texts.slice(0, 2)).toEqual(["WITH claimed", "BEGIN"]);
    const same = await statementsOf(recorder, [question(owner, "x"), question(owner, "y"), question(owner, "y")]);
    expect(same.kinds).toEqual(["stored", "stored", "repeated"]);
    expect(await logOf(owner)).toEqual({ dispatches: 4, deliveries: 4, leaves: 4 });
  });
});

describe("a name that is on record already", () => {
  test("stores nothing twice, answers as the first time, and the new records beside it are stored", async () => {
    const owner = await rig.addOwner();
    const recorder = newRecorder();
    const known = question(owner, "known");
    await recorder.record(known, true);
    const again = await statementsOf(recorder, [
      question(owner, "alone"),
      question(owner, "known"),
      question(owner, "new"),
    ]);
    expect(again.kinds).toEqual(["stored", "repeated", "stored"]);
    expect(again.texts.slice(0, 3)).toEqual(["WITH claimed", "WITH claimed", "BEGIN"]);
    const other = await recorder.record(
      { ...question(owner, "known"), delivery: { ...deliveryOf("known", "another body") } },
      true,
    );
    expect(other).toEqual({ kind: "mismatched" });
    // In the next commits claims come first: another such name costs no statement.
    expect((await statementsOf(recorder, [question(owner, "later")])).texts[0]).toBe("BEGIN");
    for (let commit = 0; commit < 20; commit += 1) await recorder.record(question(owner, `later ${commit}`), true);
    expect((await statementsOf(recorder, [question(owner, "at last")])).texts).toEqual(["WITH claimed"]);
    expect(await logOf(owner)).toEqual({ dispatches: 25, deliveries: 25, leaves: 25 });
  });

  test("wins at one of two recorders, whichever is first, and both chains of answers agree", async () => {
    const owner = await rig.addOwner();
    const recorders = [newRecorder(), newRecorder()];
    for (let round = 0; round < 20; round += 1) {
      const results = await Promise.all(
        recorders.flatMap((recorder) =>
          [0, 1, 2].map((n) => recorder.record(question(owner, `race ${round} ${n}`), true)),
        ),
      );
      expect(results.filter(({ kind }) => kind === "stored")).toHaveLength(3);
      expect(results.filter(({ kind }) => kind === "repeated")).toHaveLength(3);
    }
    expect(await logOf(owner)).toEqual({ dispatches: 60, deliveries: 60, leaves: 60 });
  });
});

test("two recorders of a workspace write at once, and the chain has each record once and no gap", async () => {
  const owner = await rig.addOwner();
  const recorders = [newRecorder(), newRecorder(), newRecorder()];
  await Promise.all(
    recorders.flatMap((recorder, at) =>
      Array.from({ length: 60 }, async (_, n) => {
        await new Promise((resolve) => setTimeout(resolve, n * 3));
        await recorder.record(question(owner, `${at} ${n}`, { haltNumber: 0 }), true);
      }),
    ),
  );
  expect(await logOf(owner)).toEqual({ dispatches: 180, deliveries: 180, leaves: 180 });
  const { rows } = await rig.db.owner.query<{ seqs: number; last: number }>(
    "SELECT count(*)::int AS seqs, max(seq)::int AS last FROM chain_batch WHERE workspace_id = $1",
    [owner.workspaceId],
  );
  expect(rows[0]?.seqs).toBe(rows[0]?.last);
});
