import { expect, it } from "vitest";
import type { HandlerReply, Turn } from "../../engine/ports.ts";
import type { SpawnRequest, ToSpawner } from "./protocol.ts";
import { RunQueue } from "./queue.ts";

const never = () => new AbortController().signal;
const REQUEST: SpawnRequest = {
  shell: "/bin/sh",
  command: "true",
  stdin: "",
  env: {},
  isolated: true,
  network: false,
  backstopMs: 1_000,
};
const DONE: HandlerReply = { kind: "exited", exitCode: 0, stdout: "", stderr: "" };

/** A queue of eight places whose runs end when they are told to; what was started, by its name. */
function queue() {
  const names = new Map<number, string>();
  const started: string[] = [];
  const waited: string[] = [];
  const runs = new RunQueue(8, 100);
  runs.connect((message: ToSpawner) => {
    if (message.kind === "run") {
      names.set(message.id, message.request.command);
      started.push(message.request.command);
    }
  });
  return {
    runs,
    started,
    waited,
    add(group: string, member: string, name: string) {
      const turn: Turn = { shares: [group, member], waits: () => waited.push(name), begins: () => {} };
      return runs.add({ ...REQUEST, command: name }, never(), turn);
    },
    end(name: string) {
      for (const [id, one] of names) if (one === name) runs.ended(id, DONE);
    },
  };
}

it("one member takes half of the places and one group three quarters; some are always left for others", () => {
  const { add, started, waited } = queue();
  for (let at = 0; at < 20; at += 1) void add("a", "greedy", `greedy ${at}`);
  expect(started).toHaveLength(4);
  expect(waited).toHaveLength(16);
  for (let at = 0; at < 20; at += 1) void add("a", "sibling", `sibling ${at}`);
  expect(started.slice(4)).toEqual(["sibling 0", "sibling 1"]);
  void add("b", "stranger", "stranger 0");
  void add("b", "stranger", "stranger 1");
  expect(started.slice(6)).toEqual(["stranger 0", "stranger 1"]);
});

it("who has the fewest running is next, whatever the order of arrival", () => {
  const { add, started, end } = queue();
  for (let at = 0; at < 4; at += 1) void add("a", "greedy", `greedy ${at}`);
  for (let at = 0; at < 4; at += 1) void add("b", "other", `other ${at}`);
  expect(started).toHaveLength(8);
  void add("a", "greedy", "greedy 4");
  void add("c", "late", "late 0");
  end("greedy 0");
  expect(started.slice(8)).toEqual(["late 0"]);
});

it("the same member's name in two groups is two members", () => {
  const { add, started } = queue();
  for (let at = 0; at < 4; at += 1) {
    void add("a", "x", `a ${at}`);
    void add("b", "x", `b ${at}`);
  }
  expect(started).toHaveLength(8);
});

it("closing ends what waits and what runs, each because the server stops", async () => {
  const { runs, add } = queue();
  const all = Array.from({ length: 10 }, (_one, at) => add("a", "x", String(at)));
  runs.close();
  for (const reply of await Promise.all([...all, add("a", "x", "after")]))
    expect(reply).toMatchObject({ kind: "not_started", cause: "stopping" });
  expect(runs.load).toEqual({ running: 0, waiting: 0 });
});
