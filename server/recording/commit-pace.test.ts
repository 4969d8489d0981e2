import { expect, test } from "vitest";
import { createCommitPace } from "./commit-pace.ts";

function paced() {
  let nowMs = 1_000;
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { pace: createCommitPace(() => nowMs), pass };
}

test("who asks alone never waits", () => {
  const { pace, pass } = paced();
  for (let asked = 0; asked < 20; asked += 1) {
    expect(pace.turn(1, 1)).toBeNull();
    pace.begin(1);
    pass(1);
  }
});

test("commits that records share begin apart, until none is shared any more", async () => {
  const { pace, pass } = paced();
  pace.begin(2);
  pass(1);
  const turn = pace.turn(1, 1);
  expect(turn).toBeInstanceOf(Promise);
  await turn;
  pass(9);
  expect(pace.turn(1, 1)).toBeNull();
  pace.begin(1);
  pass(1);
  expect(pace.turn(1, 1)).not.toBeNull();
  pass(250);
  pace.begin(1);
  expect(pace.turn(1, 1)).toBeNull();
});

/** The wait in milliseconds after a shared commit, for commits of this duration. */
function waitWhere(commitMs: number): number {
  const { pace, pass } = paced();
  pace.begin(2);
  pass(commitMs);
  let waitMs = 0;
  for (; pace.turn(2, commitMs) !== null; waitMs += 1) pass(1);
  return waitMs;
}

test("agents that ask one after another share commits, before any was shared", () => {
  const { pace, pass } = paced();
  pace.arrive("a");
  pace.begin(1);
  pass(5);
  pace.arrive("b");
  expect(pace.turn(1, 2)).toBeInstanceOf(Promise);
});

test("one agent's calls one after another wait for nothing, nor do two agents far apart", () => {
  const { pace, pass } = paced();
  const commit = (sender: string) => {
    pace.arrive(sender);
    expect(pace.turn(1, 2)).toBeNull();
    pace.begin(1);
  };
  for (let asked = 0; asked < 5; asked += 1) {
    commit("a");
    pass(2);
  }
  pass(10);
  commit("b");
});

test("shared commits take half of the time at most, while one takes less than a long pause", () => {
  expect(waitWhere(1)).toBe(9);
  expect(waitWhere(8)).toBe(8);
  expect(waitWhere(15)).toBe(5);
  expect(waitWhere(40)).toBe(0);
});

test("a full batch waits for no others", () => {
  const { pace } = paced();
  pace.begin(500);
  expect(pace.turn(500, 1)).toBeNull();
});
