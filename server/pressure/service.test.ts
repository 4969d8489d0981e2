import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { createBus } from "../events/index.ts";
import { createLog } from "../platform/log.ts";
import { createWorkerRpcHub, type Line, oneOfWorkers, singleProcess } from "../platform/worker-rpc.ts";
import { createPressure, type Pressure, type PressureSignal, SIGNAL_MS } from "./service.ts";

const noBus = { signal: () => undefined, onSignal: () => undefined };
const created = () => createPressure({ workerRpc: singleProcess(), bus: noBus });
const signal = (level: number, sequence = 1, source = "a gateway"): PressureSignal => ({ source, sequence, level });

describe("the level", () => {
  let pressure: Pressure;
  beforeEach(() => {
    vi.useFakeTimers();
    pressure = created();
  });
  afterEach(() => {
    pressure.close();
    vi.useRealTimers();
  });

  test("is the highest of all gateways", () => {
    pressure.send(signal(2));
    pressure.send(signal(4, 1, "another"));
    expect(pressure.level).toBe(4);
    pressure.send(signal(0, 2, "another"));
    expect(pressure.level).toBe(2);
  });

  test("ends by itself when its gateway sends nothing more", () => {
    const levels: number[] = [];
    pressure.onChange(() => levels.push(pressure.level));
    pressure.send(signal(5));
    vi.advanceTimersByTime(SIGNAL_MS - 100);
    expect(pressure.level).toBe(5);
    vi.advanceTimersByTime(300);
    expect(levels).toEqual([5, 0]);
  });

  test("does not follow a signal that was overtaken, nor one of another shape", () => {
    pressure.send(signal(1, 7));
    for (const one of [signal(5, 6), signal(9, 8), { ...signal(5, 9), extra: 1 }, signal(Number.NaN, 10)])
      pressure.send(one);
    expect(pressure.level).toBe(1);
  });

  test("remembers the highest of the newest pressure, and when it ended", () => {
    expect(pressure.last).toBeNull();
    for (const [index, level] of [1, 3, 2, 0].entries()) pressure.send(signal(level, index));
    expect(pressure.last).toEqual({ level: 3, atMs: Date.now() });
    pressure.send(signal(1, 9));
    expect(pressure.last?.level).toBe(1);
  });

  test("lets work wait until it is low enough, for a limited time, or until nobody waits for the work", async () => {
    await expect(pressure.untilBelow(1, 5_000)).resolves.toBe(true);
    pressure.send(signal(3));
    const gone = new AbortController();
    const waits = [
      pressure.untilBelow(4, 5_000),
      pressure.untilBelow(2, 5_000),
      pressure.untilBelow(1, 50),
      pressure.untilBelow(1, 5_000, gone.signal),
    ];
    gone.abort();
    vi.advanceTimersByTime(100);
    pressure.send(signal(1, 2));
    await expect(Promise.all(waits)).resolves.toEqual([true, true, false, false]);
  });
});

test("a page of an export waits while exports give way, and goes on after a while under constant pressure", async () => {
  vi.useFakeTimers();
  const pressure = created();
  let sequence = 0;
  const setLevel = (level: number) => {
    sequence += 1;
    pressure.send(signal(level, sequence));
  };
  setLevel(1);
  await pressure.exportTurn();
  setLevel(2);
  let pages = 0;
  const first = pressure.exportTurn().then(() => {
    pages += 1;
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(pages).toBe(0);
  setLevel(1);
  await first;
  const lasting = setInterval(() => setLevel(5), 200);
  setLevel(5);
  const second = pressure.exportTurn();
  await vi.advanceTimersByTimeAsync(10_000);
  await second;
  expect(pressure.level).toBe(5);
  clearInterval(lasting);
  pressure.close();
  vi.useRealTimers();
});

/** Two ends of one channel; messages are copied, as between processes. */
function channel(): readonly [Line, Line] {
  const heard: ((message: unknown) => void)[][] = [[], []];
  const end = (own: 0 | 1): Line => ({
    send: (message) => {
      for (const listener of heard[1 - own] ?? []) listener(JSON.parse(JSON.stringify(message)));
    },
    onMessage: (listener) => void heard[own]?.push(listener),
  });
  return [end(0), end(1)];
}

test("every process of a node hears of the level at once, also one that is never asked", () => {
  const hub = createWorkerRpcHub();
  const processes = [false, false, true].map((onlyAsks) => {
    const [here, there] = channel();
    hub.join(here, { onlyAsks });
    return createPressure({ workerRpc: oneOfWorkers(there, 1), bus: noBus });
  });
  processes[0]?.send(signal(3));
  expect(processes.map(({ level }) => level)).toEqual([3, 3, 3]);
  for (const one of processes) one.close();
});

describe("between nodes of one database", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.drop());

  test("the level of one is heard by the other", async () => {
    const buses = [createBus(db.url, createLog("silent")), createBus(db.url, createLog("silent"))] as const;
    await vi.waitUntil(() => buses.every((bus) => bus.isCurrent()), { timeout: 10_000 });
    const [one, other] = buses.map((bus) => createPressure({ workerRpc: singleProcess(), bus }));
    one?.send(signal(4));
    await expect.poll(() => other?.level, { interval: 10 }).toBe(4);
    one?.send(signal(0, 2));
    await expect.poll(() => other?.level, { interval: 10 }).toBe(0);
    for (const each of [one, other]) each?.close();
    for (const bus of buses) await bus.close();
  });
});
