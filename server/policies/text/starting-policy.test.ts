import { createExecutor, rulesKind, systemClock } from "@quarterdeck/hooks";
import { expect, it } from "vitest";
import { readPolicy } from "./source.ts";
import { STARTING_SOURCE } from "./starting-policy.ts";

const { hooks, profile } = readPolicy(STARTING_SOURCE);
/** It has no other kind: a hook that needs a program would fail. */
const executor = createExecutor({
  config: hooks ?? {},
  profile,
  kinds: [rulesKind()],
  clock: systemClock,
  env: {},
  workingDir: "/",
});

it.each([
  ["rm -rf /", false],
  ["sudo rm -fr build", false],
  ["rm -v --recursive build", false],
  ["rm -f build -R", false],
  ["cd /\nrm -r build", false],
  ["/bin/sh -c 'rm -rf build'", false],
  ["timeout -k 5 10 /bin/rm -r build", false],
  ["echo 'rm -rf build'", true],
  ["rm notes.txt", true],
  ["rm -f notes.txt", true],
  ["echo a form -r", true],
  ["rm a; grep -r x .", true],
])("the policy that a new one begins with answers %j with allowed: %j", async (cmd, allowed) => {
  const input = { tool_name: "shell", tool_input: { cmd } };
  const { result } = await executor.dispatch({ event: "pre_tool_use", lane: "preempt_yolo", input });
  expect(result.allowed).toBe(allowed);
  expect(result.message).toBe(
    allowed ? "" : "Recursive deletes are not allowed here. Delete single files, or ask a person.",
  );
});

it.each([
  ["Bash", { command: "rm -rf build" }],
  ["run_commands", { commands: ["ls", "rm -rf build"] }],
  ["exec_command", { cmd: ["rm", "-rf", "build"] }],
  ["local_shell", { command: ["bash", "-lc", "rm -r build"] }],
  ["Shell", { command: "rm --recursive build" }],
])("it reads the command of %s as its client hands it over", async (tool_name, tool_input) => {
  const input = { tool_name, tool_input };
  const { result } = await executor.dispatch({ event: "pre_tool_use", lane: "preempt_yolo", input });
  expect(result.allowed).toBe(false);
});

it("it lets another tool pass", async () => {
  const input = { tool_name: "Write", tool_input: { file_path: "a", content: "rm -rf build" } };
  expect((await executor.dispatch({ event: "pre_tool_use", lane: "preempt_yolo", input })).result.allowed).toBe(true);
});
