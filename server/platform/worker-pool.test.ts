/** Real threads, as npm start runs them. */
import { threadId } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import type * as slow from "./testing/slow-tasks.ts";
import { createWorkerPool, tasksOf, type WorkerLimits, type WorkerPool } from "./worker-pool.ts";

const LIMITS: WorkerLimits = {
  threads: 2,
  runningOfOne: 1,
  ofOne: 2,
  waiting: 3,
  deadlineMs: 60_000,
  heapMiB: 128,
  idleMs: 60_000,
};
const open: WorkerPool[] = [];
const pool = (limits: Partial<WorkerLimits> = {}, entry?: string) => {
  const made = createWorkerPool({ ...LIMITS, ...limits }, entry);
  open.push(made);
  return { made, run: tasksOf<typeof slow>(() => made, new URL("./testing/slow-tasks.ts", import.meta.url)) };
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const gate = () => new SharedArrayBuffer(4);
const release = (of: SharedArrayBuffer) => {
  Atomics.store(new Int32Array(of), 0, 1);
  Atomics.notify(new Int32Array(of), 0);
};

describe("a task", () => {
  it("runs on a thread of its own, without this process's environment", async () => {
    const { run } = pool();
    const { threadId: there, environment } = await run("ada", "where", null);
    expect(there).not.toBe(threadId);
    expect(environment).toBe(0);
  });

  it("refuses as it would here", async () => {
    await expect(pool().run("ada", "refuse", "no such thing")).rejects.toMatchObject({
      code: "invalid_input",
      message: "no such thing",
      options: { pointer: "/a" },
    });
  });

  it("that never ends is ended, and the pool goes on", async () => {
    const { run, made } = pool({ deadlineMs: 1_000 });
    await expect(run("ada", "never", null)).rejects.toMatchObject({ code: "too_costly", status: 413 });
    expect(made.load).toEqual({ running: 0, waiting: 0 });
    expect((await run("ada", "where", null)).threadId).toBeGreaterThan(0);
  });

  it("that takes all memory ends alone", async () => {
    const { run } = pool({ heapMiB: 64 });
    await expect(run("ada", "grow", null)).rejects.toMatchObject({ code: "too_costly" });
    expect((await run("ada", "where", null)).threadId).toBeGreaterThan(0);
  });
});

describe("a thread that dies before its task begins", () => {
  it("fails the questions that waited for it, and neither the process nor the next question", async () => {
    // An entry that cannot be loaded ends its thread.
    const { made, run } = pool({}, new URL("./testing/no-such-entry.mjs", import.meta.url).href);
    await expect(run("ada", "where", null)).rejects.toBeInstanceOf(Error);
    await expect(run("bob", "where", null)).rejects.toBeInstanceOf(Error);
    expect(made.load).toEqual({ running: 0, waiting: 0 });
  }, 20_000);
});

describe("one asker", () => {
  it("has one task under way, one waiting, and is told so beyond; others have theirs", async () => {
    const { run, made } = pool();
    const held = gate();
    const first = run("ada", "wait", held);
    const second = run("ada", "where", null);
    await expect(run("ada", "where", null)).rejects.toMatchObject({ code: "busy", status: 429 });
    expect((await run("bob", "where", null)).threadId).toBeGreaterThan(0);
    expect(made.load).toEqual({ running: 1, waiting: 1 });
    release(held);
    expect(await first).toBe("released");
    expect((await second).threadId).toBeGreaterThan(0);
  });
});

describe("everybody", () => {
  it("waits in a queue that ends", async () => {
    const { run, made } = pool({ threads: 1 });
    const held = gate();
    const first = run("a", "wait", held);
    const others = ["b", "c", "d"].map((asker) => run(asker, "where", null));
    await expect(run("e", "where", null)).rejects.toMatchObject({ code: "busy" });
    expect(made.load).toEqual({ running: 1, waiting: 3 });
    release(held);
    await first;
    expect(await Promise.all(others)).toHaveLength(3);
    expect(made.load).toEqual({ running: 0, waiting: 0 });
  });
});
