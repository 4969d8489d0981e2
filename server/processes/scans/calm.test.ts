import { afterAll, beforeAll, expect, test } from "vitest";
import { type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import { singleProcess } from "../../platform/worker-rpc.ts";
import { isCalm, rememberWrites } from "./calm.ts";

let rig: RecordingRig;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());

const quiet = (workerRpc = singleProcess(), level = 0) =>
  isCalm({ pool: rig.db.database.pool, workerRpc, pressure: { level } });

test("is not calm at the pressure level where scans give way", async () => {
  expect([await quiet(singleProcess(), 1), await quiet(singleProcess(), 2)]).toEqual([true, false]);
});

test("is calm where figures keep up with the log, and while hardly anything is written", async () => {
  const workerRpc = singleProcess();
  const note = rememberWrites(workerRpc);
  for (let write = 0; write < 4; write += 1) note(900);
  expect(await quiet(workerRpc)).toBe(true);
});

test("is not calm while the p95 of the last five seconds' writes is over the bound", async () => {
  let ms = 0;
  const workerRpc = singleProcess();
  const note = rememberWrites(workerRpc, () => ms);
  for (let write = 0; write < 95; write += 1) note(2);
  for (let write = 0; write < 4; write += 1) note(900);
  expect(await quiet(workerRpc)).toBe(true);
  for (let write = 0; write < 4; write += 1) note(900);
  expect(await quiet(workerRpc)).toBe(false);
  ms = 5_001;
  expect(await quiet(workerRpc)).toBe(true);
});

test("is not calm while a cursor is more than a second behind what the chain has", async () => {
  const { pool } = rig.db.database;
  const cursorAt = (seq: string) =>
    pool.query(
      `UPDATE projection_cursor AS one SET seq = ${seq} FROM audit_head AS head
       WHERE one.workspace_id = $1 AND head.workspace_id = one.workspace_id`,
      [rig.workspaceId],
    );
  await rig.recorder.record(recordOf(rig, "session_start", '{"session_id":"s"}', {}), false);
  await cursorAt("head.seq");
  expect(await quiet()).toBe(true);
  await cursorAt("head.seq - 1");
  await expect.poll(() => quiet(), { timeout: 30_000 }).toBe(false);
  await cursorAt("head.seq");
  expect(await quiet()).toBe(true);
});
