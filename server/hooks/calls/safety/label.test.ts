import { expect, it } from "vitest";
import { readCall } from "../call.ts";
import { labelOfTexts } from "./label.ts";

const labelOf = (tool: string, input: unknown) =>
  readCall({ tool, input, place: { workingDirectory: "/srv/app" } }).safetyLabel();

it.each([
  ["git log --oneline", "safe"],
  ["git log --oneline; true", "unknown"],
  ["make all", "unknown"],
  ["git clean -fd", "destructive"],
  ["pwd && git clean -fd", "destructive"],
  // Only the newer list of reads knows these arguments.
  ["cat one two", "unknown"],
  // Only the older list takes a parenthesis outside of quotes.
  ["grep a( notes.txt", "unknown"],
])("the command %s is %s", (cmd, label) => expect(labelOf("shell", { cmd })).toBe(label));

it("the gravest of several texts counts, and one that cannot be read is unknown", () => {
  expect(labelOfTexts(["ls", "shred x", null])).toBe("destructive");
  expect(labelOfTexts(["ls", null])).toBe("unknown");
  expect(labelOfTexts([])).toBe("unknown");
  expect(labelOf("Bash", {})).toBe("unknown");
  expect(labelOf("execute_command", { commands: ["pwd", { command: "make" }] })).toBe("unknown");
  expect(labelOf("shell", { cmd: "pwd", args: ["-P"] })).toBe("unknown");
});

it("a tool that runs no command has no label", () => {
  expect(labelOf("Read", { file_path: "/srv/app/a" })).toBeNull();
  expect(labelOf("mcp__shop__list_orders", {})).toBeNull();
});

it("a tool of a server that runs commands has one", () => {
  expect(labelOf("mcp__box__run_command", { command: "pwd" })).toBe("safe");
});
