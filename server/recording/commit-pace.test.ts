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
    expect(pace.turn(1)).toBeNull();
    pace.begin(1);
    pass(1);
  }
});

test("commits that records share begin apart, until none is shared any more", async () => {
  const { pace, pass } = paced();
  pace.begin(2);
  pass(1);
  const turn = pace.turn(1);
  expect(turn).toBeInstanceOf(Promise);
  await turn;
  pass(4);
  expect(pace.turn(1)).toBeNull();
  pace.begin(1);
  pass(1);
  expect(pace.turn(1)).not.toBeNull();
  pass(250);
  pace.begin(1);
  expect(pace.turn(1)).toBeNull();
});

test("a full batch waits for no others", () => {
  const { pace } = paced();
  pace.begin(500);
  expect(pace.turn(500)).toBeNull();
});
