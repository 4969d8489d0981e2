/** Outcomes by revision, against those without and against the records they come from. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repetitions } from "../../e2e/fixtures/long-run.ts";
import { type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { REVISION_SLOTS } from "./revision-sums.ts";
import type { StoredHook } from "./schema.ts";

let rig: RecordingRig;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());

const NOON = Date.UTC(2026, 10, 20, 12);
const HOUR_MS = 3_600_000;

interface Run {
  readonly revision: number;
  readonly said: string;
  readonly durationMs: number;
  readonly hour: number;
}
const anyRun: fc.Arbitrary<Run> = fc.record({
  revision: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(2_147_483_647, 2_147_483_631)),
  said: fc.constantFrom("deny", "ask", "nothing"),
  durationMs: fc.constantFrom(1, 12, 900),
  hour: fc.integer({ min: 0, max: 20 }),
});
const hookOf = ({ revision, said, durationMs }: Run): StoredHook => ({
  ...{ policy: "guard", revision, path: "hooks.pre_tool_use[0]", name: "no deletes", type: "command" },
  ...{ outcome: "completed", said, startedMs: 0, durationMs, stdout: "", stderr: "" },
});

async function recorded(runs: readonly Run[]) {
  const owner = await rig.addOwner();
  const text = JSON.stringify({ session_id: "s", tool_name: "shell" });
  await Promise.all(
    runs.map((run) => {
      const occurredAt = new Date(NOON + run.hour * HOUR_MS);
      const record = recordOf(owner, "pre_tool_use", text, { occurredAt, verdict: "none", hooks: [hookOf(run)] });
      return rig.recorder.record(record, false);
    }),
  );
  return async (sql: string) => (await rig.db.database.pool.query(sql, [owner.workspaceId])).rows;
}

const CELL = "bucket, policy, event, hook, outcome, latency";

test("the sums of all revisions are the sums without revisions, in hours and in days", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRun, { minLength: 1, maxLength: 80 }), async (runs) => {
      const rows = await recorded(runs);
      for (const unit of ["hour", "day"])
        expect(
          await rows(`SELECT ${CELL}, sum(count + earlier)::int AS count FROM hook_revision_${unit}
                      WHERE workspace_id = $1 GROUP BY ${CELL} ORDER BY ${CELL}`),
        ).toEqual(
          await rows(`SELECT ${CELL}, count::int AS count FROM hook_${unit} WHERE workspace_id = $1 ORDER BY ${CELL}`),
        );
    }),
    { numRuns: repetitions(6, 60) },
  );
});

test("a cell has few rows, each with the runs of its newest revision, in any order of arrival", async () => {
  const all = [1, 3, 17, 20, 36, 40, 3, 40, 19, 1, 33].map((revision, at) => ({
    revision,
    said: "deny",
    durationMs: at,
  }));
  const runs = all.map((run) => ({ ...run, durationMs: 12, hour: 0 }));
  const read = `SELECT slot, revision, count::int AS count, earlier::int AS earlier FROM hook_revision_hour
    WHERE workspace_id = $1 ORDER BY slot`;
  const expected = [
    { slot: 1, revision: 33, count: 1, earlier: 3 },
    { slot: 3, revision: 19, count: 1, earlier: 2 },
    { slot: 4, revision: 36, count: 1, earlier: 1 },
    { slot: 8, revision: 40, count: 2, earlier: 0 },
  ];
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(runs, { minLength: runs.length }), async (shuffled) => {
      const rows = await recorded(shuffled);
      expect(await rows(read)).toEqual(expected);
    }),
    { numRuns: repetitions(6, 60) },
  );
  const many = await recorded(
    Array.from({ length: 200 }, (_, revision) => ({ revision, said: "deny", durationMs: 12, hour: 0 })),
  );
  expect(await many("SELECT count(*)::int AS rows FROM hook_revision_day WHERE workspace_id = $1")).toEqual([
    { rows: REVISION_SLOTS },
  ]);
});
