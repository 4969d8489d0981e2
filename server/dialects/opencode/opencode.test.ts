/** Calls of opencode's plugin, in the words in which a policy matches the calls of every client. */
import { expect, it } from "vitest";
import { dialectOf } from "../registry.ts";

const opencode = dialectOf("opencode");
const toolOf = (tool_name: string, tool_input: object) =>
  opencode.read({ session_id: "s", hook_event_name: "pre_tool_use", tool_name, tool_input }, "pre_tool_use").ext.tool;

it("a call says its kind, its command and its paths", () => {
  expect(toolOf("bash", { command: "ls", description: "d" })).toEqual({ kind: "shell", command: "ls" });
  expect(toolOf("read", { filePath: "/workspace/a.ts" })).toEqual({ kind: "read", paths: ["/workspace/a.ts"] });
  expect(toolOf("webfetch", { url: "https://a.example" })).toEqual({ kind: "fetch", url: "https://a.example" });
});

it("a tool of a server cannot be told from its name", () => {
  expect(toolOf("echo_add", { a: 2 })).toEqual({ kind: "other" });
});

it("an event that is about no tool says none", () => {
  const { native, ext } = opencode.read({ session_id: "s", prompt: "hello" }, "user_prompt_submit");
  expect(native).toEqual({ session_id: "s", prompt: "hello", hook_event_name: "user_prompt_submit" });
  expect(ext).toEqual({ dialect: "opencode", client_event: "user_prompt_submit" });
});
