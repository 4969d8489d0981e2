import { expect, it } from "vitest";
import { createWorkerRpcHub, type Line, oneOfWorkers, singleProcess } from "./worker-rpc.ts";

/** Two ends of one channel; what goes over it is copied, as between processes. */
function channel(): readonly [Line, Line] {
  const heard: ((message: unknown) => void)[][] = [[], []];
  const end = (own: 0 | 1): Line => ({
    send: (message) =>
      queueMicrotask(() => {
        for (const listener of heard[1 - own] ?? []) listener(JSON.parse(JSON.stringify(message)));
      }),
    onMessage: (listener) => void heard[own]?.push(listener),
  });
  return [end(0), end(1)];
}

function node(workers: number) {
  const supervisor = createWorkerRpcHub();
  const processes = Array.from({ length: workers }, (_, index) => {
    const [here, there] = channel();
    const leave = supervisor.join(here);
    const workerRpc = oneOfWorkers(there, workers);
    workerRpc.answer("who", (greeting) => `${greeting}, I am ${index + 1}`);
    return { workerRpc, leave };
  });
  supervisor.answer("who", (greeting) => `${greeting}, I am 0`);
  return { supervisor, processes };
}

it("whoever asks hears from every process of its node, the supervisor's and its own included", async () => {
  const { supervisor, processes } = node(2);
  const all = ["hi, I am 0", "hi, I am 1", "hi, I am 2"];
  for (const asking of [supervisor, ...processes.map(({ workerRpc }) => workerRpc)])
    expect([...(await asking.ask("who", "hi"))].sort()).toEqual(all);
});

it("who does not know, fails, or is gone says nothing, and nobody waits for it", async () => {
  const { supervisor, processes } = node(2);
  expect(await supervisor.ask("what")).toEqual([]);
  processes[0]?.workerRpc.answer("who", () => {
    throw new Error("not now");
  });
  expect(await supervisor.ask("who", "hi")).toEqual(["hi, I am 0", "hi, I am 2"]);
  const asked = supervisor.ask("who", "hi");
  processes[1]?.leave();
  expect(await asked).toEqual(["hi, I am 0"]);
  expect(await processes[0]?.workerRpc.ask("who", "hi")).toEqual(["hi, I am 0"]);
});

it("a node of one process asks itself", async () => {
  const workerRpc = singleProcess();
  workerRpc.answer("who", (greeting) => `${greeting}, it is me`);
  expect(await workerRpc.ask("who", "hi")).toEqual(["hi, it is me"]);
});

it("a broadcast reaches every other process and the supervisor, once, and not its sender", async () => {
  const { supervisor, processes } = node(3);
  const heard: string[] = [];
  supervisor.onBroadcast("news", (value) => heard.push(`0 ${value}`));
  for (const [index, { workerRpc }] of processes.entries())
    workerRpc.onBroadcast("news", (value) => heard.push(`${index + 1} ${value}`));
  processes[0]?.workerRpc.broadcast("news", "from 1");
  await expect.poll(() => [...heard].sort()).toEqual(["0 from 1", "2 from 1", "3 from 1"]);
  processes[2]?.leave();
  supervisor.broadcast("news", "from 0");
  await expect.poll(() => heard.slice(3).sort()).toEqual(["1 from 0", "2 from 0"]);
});
