import { expect, test } from "vitest";
import { nodeArguments } from "./node-memory.ts";

test("a process that no gate waits for has a small heap for young objects, unless NODE_OPTIONS says otherwise", () => {
  expect(nodeArguments("jobs")).toEqual(["--max-semi-space-size=4"]);
  expect(nodeArguments("jobs", "--trace-warnings")).toEqual(["--max-semi-space-size=4"]);
  expect(nodeArguments("jobs", "--max-semi-space-size=32")).toEqual([]);
});

test("the gateway has the heap that V8 gives it", () => {
  expect(nodeArguments("gateway")).toEqual([]);
});
