import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { timeLimit } from "./time-limit.ts";

test("a limit behind other signals holds when memory is collected before it is over", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void; // V8's own, which the flag brings
  const until = AbortSignal.any([new AbortController().signal, timeLimit(200)]);
  const ended = once(until, "abort");
  for (const wait of [0, 20, 20, 20]) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    collect();
  }
  await ended;
  expect(until.reason).toMatchObject({ name: "TimeoutError" });
});
