import { afterAll, beforeAll, expect, test } from "vitest";
import { type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { stoppedClock } from "../platform/clock.ts";
import { lookAtDue } from "./gap-scanner.ts";

const EVENTS = 40;
const START_MS = Date.parse("2026-10-01T09:00:00.000Z");

let rig: RecordingRig;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());

test("an active session rests for a tenth of a second for each of its events before it is read again", async () => {
  const clock = stoppedClock(START_MS);
  const started = () => recordOf(rig, "turn_start", '{"session_id":"s"}', { occurredAt: new Date(START_MS) });
  const say = (count: number) =>
    Promise.all(Array.from({ length: count }, () => rig.recorder.record(started(), false)));
  const look = () => lookAtDue(rig.db.database, rig.workspaceId, clock);
  await say(EVENTS);
  expect(await look()).toBe(1);
  await say(1);
  clock.advance((EVENTS + 1) * 100);
  expect(await look()).toBe(0);
  clock.advance(1);
  expect(await look()).toBe(1);
  expect(await look()).toBe(0);
});
