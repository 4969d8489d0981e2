import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createRepeater } from "./repeater.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function counted(turn: (signal: AbortSignal) => Promise<number> = async () => 100) {
  const failures: unknown[] = [];
  const seen = vi.fn(turn);
  const repeater = createRepeater({ turn: seen, firstMs: 10, retryMs: 50, onFailure: (error) => failures.push(error) });
  return { repeater, seen, failures };
}

it("does nothing before it is started, and then one turn after another at the distance that each answers", async () => {
  const { repeater, seen } = counted();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toHaveBeenCalledTimes(0);
  repeater.start();
  await vi.advanceTimersByTimeAsync(10);
  expect(seen).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(99);
  expect(seen).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toHaveBeenCalledTimes(2);
  await repeater.stop();
});

it("never runs two turns at once", async () => {
  let end: () => void = () => undefined;
  const { repeater, seen } = counted(() => new Promise((resolve) => (end = () => resolve(100))));
  repeater.start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(seen).toHaveBeenCalledTimes(1);
  end();
  await vi.advanceTimersByTimeAsync(100);
  expect(seen).toHaveBeenCalledTimes(2);
  const stopped = repeater.stop();
  end();
  await stopped;
});

it("goes on after a turn that failed, and says why it failed", async () => {
  const { repeater, seen, failures } = counted(() => Promise.reject(new Error("no database")));
  repeater.start();
  await vi.advanceTimersByTimeAsync(10);
  expect(failures).toEqual([new Error("no database")]);
  await vi.advanceTimersByTimeAsync(50);
  expect(seen).toHaveBeenCalledTimes(2);
  await repeater.stop();
});

it("tells the turn that it is stopped, waits for it, and begins no other", async () => {
  let isAborted = false;
  const { repeater, seen } = counted(
    (signal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          isAborted = true;
          resolve(0);
        }),
      ),
  );
  expect(repeater.signal.aborted).toBe(false);
  repeater.start();
  await vi.advanceTimersByTimeAsync(10);
  await repeater.stop();
  expect(isAborted).toBe(true);
  expect(repeater.signal.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(seen).toHaveBeenCalledTimes(1);
});

it("can be started again after it was stopped", async () => {
  const { repeater, seen } = counted();
  repeater.start();
  await repeater.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toHaveBeenCalledTimes(0);
  repeater.start();
  expect(repeater.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(10);
  expect(seen).toHaveBeenCalledTimes(1);
  await repeater.stop();
});
