import { expect, test } from "vitest";
import { nodeArguments } from "./node-memory.ts";

test("a process that no gate waits for has a small heap for young objects, unless NODE_OPTIONS says otherwise", () => {
  expect(nodeArguments("scans")).toEqual(["--max-semi-space-size=4"]);
  expect(nodeArguments("scans", "--trace-warnings")).toEqual(["--max-semi-space-size=4"]);
  expect(nodeArguments("scans", "--max-semi-space-size=32")).toEqual([]);
});

test("the gateway has the heap that V8 gives it, and the console a larger one than jobs", () => {
  expect(nodeArguments("gateway")).toEqual([]);
  expect(nodeArguments("console")).toEqual(["--max-semi-space-size=8"]);
});
