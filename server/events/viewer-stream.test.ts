import { afterEach, beforeEach, expect, test } from "vitest";
import { singleProcess } from "../platform/worker-rpc.ts";
import { createPressure, type Pressure } from "../pressure/index.ts";
import type { LiveChange, Topic } from "./schema.ts";
import { streamChanges } from "./viewer-stream.ts";

type Listener = (workspaceId: string | null, topics: readonly Topic[]) => void;

let listener: Listener = () => undefined;
let pressure: Pressure;
let sequence = 0;
const bus = {
  subscribe(heard: Listener) {
    listener = heard;
    return () => undefined;
  },
  isCurrent: () => true,
  position: () => ({ node: "n", sequence: 1 }),
};
const viewer = { workspaceId: "w", isReturn: false };

let end: AbortController;
let seen: LiveChange[] = [];

beforeEach(() => {
  [end, seen] = [new AbortController(), []];
  pressure = createPressure({
    workerRpc: singleProcess(),
    bus: { signal: () => undefined, onSignal: () => undefined },
    // A signal of this test does not lapse.
    nowMs: () => 0,
  });
  void (async () => {
    for await (const change of streamChanges({ bus, pressure }, viewer, end.signal)) {
      const { heard: _position, ...rest } = change;
      seen.push(rest);
    }
  })();
});
afterEach(() => {
  end.abort();
  pressure.close();
});

const setLevel = (level: number) => {
  sequence += 1;
  pressure.send({ source: "gateway", sequence, level });
};

test("while gates wait, a viewer hears that updates are slowed, and gets the next ones when it is over", async () => {
  setLevel(5);
  await expect.poll(() => seen).toEqual([{ topics: [] }, { topics: [], isSlowed: true }]);
  listener("w", ["costs"]);
  await expect.poll(() => seen.slice(2)).toEqual([{ topics: ["costs"], isSlowed: true }]);
  listener("w", ["sessions"]);
  listener("w", ["agents"]);
  // Five times as long as a viewer waits without pressure.
  expect(await pressure.untilBelow(1, 500)).toBe(false);
  expect(seen.length).toBe(3);
  setLevel(0);
  await expect.poll(() => seen.slice(3)).toEqual([{ topics: ["sessions", "agents"] }]);
});
