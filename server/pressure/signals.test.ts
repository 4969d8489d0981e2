/** Signals that are lost, late, repeated or stuck, over clocks of the test's own. No test here waits for real time. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createWorkerRpcHub, type Line, oneOfWorkers, singleProcess } from "../platform/worker-rpc.ts";
import { createPressure, type Pressure, type PressureOptions, type PressureSignal, SIGNAL_MS } from "./service.ts";
import { type PressureWatch, watchDelays } from "./watch.ts";

/** The gateway reads its delays this often. */
const STEP_MS = 25;
const noBus: PressureOptions["bus"] = { signal: () => undefined, onSignal: () => undefined };

let opened: { close(): void }[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  opened = [];
});
afterEach(() => {
  for (const one of opened) one.close();
  vi.useRealTimers();
});

function pressureOver(options: Partial<PressureOptions> = {}): Pressure {
  const pressure = createPressure({ workerRpc: singleProcess(), bus: noBus, ...options });
  opened.push(pressure);
  return pressure;
}

/** A gateway whose gates wait for `delays.gateWaitMs`. */
function gatewayWith(pressure: Pick<Pressure, "send">) {
  const delays = { startingMs: 0, gateWaitMs: 0, commitMs: 10 };
  const watch: PressureWatch = watchDelays({ pressure, delays: () => delays });
  opened.push(watch);
  return delays;
}

/** Nodes of one database; `passes` says for each message whether NOTIFY brings it. */
function nodes(count: number, passes: (message: number) => boolean = () => true) {
  const listeners = new Map<number, (value: unknown) => void>();
  let messages = 0;
  const busOf = (own: number): PressureOptions["bus"] => ({
    signal(_topic, value) {
      messages += 1;
      if (!passes(messages)) return;
      for (const [node, listener] of listeners) if (node !== own) listener(JSON.parse(JSON.stringify(value)));
    },
    onSignal: (_topic, listener) => void listeners.set(own, listener),
  });
  const pressures = Array.from({ length: count }, (_, own) => pressureOver({ bus: busOf(own) }));
  return { pressures, sent: () => messages };
}

/** Runs the clock in steps, and calls `each` after every step. */
function run(forMs: number, each: () => void = () => undefined): void {
  for (let atMs = 0; atMs < forMs; atMs += STEP_MS) {
    vi.advanceTimersByTime(STEP_MS);
    each();
  }
}

describe("a level", () => {
  test("is heard by every process of the node in the step that measured it, one message for each", () => {
    const hub = createWorkerRpcHub();
    const received = [0, 0, 0];
    const processes = received.map((_, process) => {
      const heard: ((message: unknown) => void)[] = [];
      const said: ((message: unknown) => void)[] = [];
      const near: Line = {
        send: (message) => {
          for (const listener of said) listener(message);
        },
        onMessage: (listener) => void heard.push(listener),
      };
      const far: Line = {
        send(message) {
          received[process] = (received[process] ?? 0) + 1;
          for (const listener of heard) listener(message);
        },
        onMessage: (listener) => void said.push(listener),
      };
      hub.join(far, { onlyAsks: process === 2 });
      return pressureOver({ workerRpc: oneOfWorkers(near, 1) });
    });
    const [first] = processes;
    if (first === undefined) throw new Error("no process");
    let sent = 0;
    const delays = gatewayWith({
      send(signal) {
        sent += 1;
        first.send(signal);
      },
    });
    const levels = new Set<number>();
    delays.gateWaitMs = 800;
    const agree = () => {
      levels.add(first.level);
      expect(new Set(processes.map(({ level }) => level)).size).toBe(1);
    };
    run(4_000, agree);
    delays.gateWaitMs = 0;
    run(4_000, agree);
    expect([...levels].toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(received).toEqual([0, sent, sent]);
  });

  test("is heard by another node within a second although three of four messages are lost", () => {
    const { pressures, sent } = nodes(2, (message) => message % 4 === 0);
    const [own, other] = pressures;
    if (own === undefined || other === undefined) throw new Error("no node");
    const delays = gatewayWith(own);
    delays.gateWaitMs = 800;
    let behindMs = 0;
    let longestMs = 0;
    run(10_000, () => {
      behindMs = own.level === other.level ? 0 : behindMs + STEP_MS;
      longestMs = Math.max(longestMs, behindMs);
    });
    expect(other.level).toBe(5);
    expect(longestMs).toBeLessThanOrEqual(1_000);
    expect(sent()).toBeGreaterThan(20);
  });

  test("ends on another node by itself when all of its last messages are lost", () => {
    let isLost = false;
    const { pressures } = nodes(2, () => !isLost);
    const [own, other] = pressures;
    if (own === undefined || other === undefined) throw new Error("no node");
    const delays = gatewayWith(own);
    delays.gateWaitMs = 800;
    run(4_000);
    expect([own.level, other.level]).toEqual([5, 5]);
    [isLost, delays.gateWaitMs] = [true, 0];
    run(2_000);
    expect([own.level, other.level]).toEqual([0, 0]);
  });
});

describe("a signal", () => {
  const signal = (level: number, sequence: number, source = "a gateway"): PressureSignal => ({
    ...{ source, sequence, level },
  });

  test("that is repeated for ever without a new sequence does not keep its level", () => {
    const pressure = pressureOver();
    run(SIGNAL_MS, () => pressure.send(signal(5, 1)));
    expect(pressure.level).toBe(5);
    run(500, () => pressure.send(signal(5, 1)));
    expect(pressure.level).toBe(0);
  });

  test("that comes after its pressure is over does not bring it back", () => {
    const pressure = pressureOver();
    for (const [index, level] of [3, 4, 5, 0].entries()) pressure.send(signal(level, index));
    run(10_000);
    const levels: number[] = [];
    pressure.onChange(() => levels.push(pressure.level));
    for (const [index, level] of [3, 4, 5, 0].entries()) pressure.send(signal(level, index));
    run(2_000);
    expect([levels, pressure.level]).toEqual([[], 0]);
  });

  test("of a new gateway is heard, however many gateways have ended", () => {
    const pressure = pressureOver();
    for (let gateway = 0; gateway < 2_000; gateway += 1) pressure.send(signal(0, 1, `gateway ${gateway}`));
    pressure.send(signal(2, 1, "a new gateway"));
    expect(pressure.level).toBe(2);
    run(2_000);
    expect(pressure.level).toBe(0);
  });
});

test("a clock that is set back or ahead by a day changes no level", () => {
  const levelsWith = (jumpMs: number): number[] => {
    const pressure = pressureOver();
    const delays = gatewayWith(pressure);
    const levels: number[] = [];
    const note = () => void levels.push(pressure.level);
    delays.gateWaitMs = 800;
    run(2_000, note);
    vi.setSystemTime(Date.now() + jumpMs);
    run(2_000, note);
    delays.gateWaitMs = 0;
    run(3_000, note);
    return levels;
  };
  const usual = levelsWith(0);
  expect([Math.max(...usual), usual.at(-1)]).toEqual([5, 0]);
  for (const day of [-86_400_000, 86_400_000]) expect(levelsWith(day)).toEqual(usual);
});

test("a gateway that was stopped for an hour has no delay of an hour", () => {
  let stoppedMs = 0;
  const sent: number[] = [];
  const watch = watchDelays({
    pressure: { send: ({ level }) => void sent.push(level) },
    delays: () => ({ startingMs: 0, gateWaitMs: 0, commitMs: 10 }),
    nowMs: () => performance.now() + stoppedMs,
  });
  opened.push(watch);
  run(1_000);
  stoppedMs = 3_600_000;
  run(STEP_MS);
  run(STEP_MS);
  expect(watch.expectedMs).toBe(0);
  run(2_000);
  expect(sent.at(-1) ?? 0).toBe(0);
  expect(Math.max(0, ...sent)).toBeLessThanOrEqual(1);
});
