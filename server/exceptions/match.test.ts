import { describe, expect, it } from "vitest";
import { inputSha256 } from "../approvals/binding.ts";
import { type CallPattern, commandWordsOf, matchesCall } from "./match.ts";

const EXACT: CallPattern = {
  ...{ scope: "session", agentId: "a", sessionId: "s", members: [], toolName: "shell", command: null },
  inputSha256: inputSha256("shell", { cmd: "git push" }),
};
const COMMAND: CallPattern = { ...EXACT, inputSha256: null, command: ["gh", "pr", "view"] };
const call = (input: unknown, made: object = {}) => ({
  ...{ agentId: "a", sessionId: "s", toolName: "shell", input, inputSha256: inputSha256("shell", input) },
  ...made,
});

describe("an exception for exactly one input", () => {
  it("is for that input, whatever comments on it", () => {
    expect(matchesCall(EXACT, call({ cmd: "git push" }))).toBe(true);
    expect(matchesCall(EXACT, call({ cmd: "git push", description: "deploys" }))).toBe(true);
  });

  it.each([
    ["another input", { cmd: "git push " }, {}],
    ["one key more", { cmd: "git push", cwd: "/" }, {}],
    ["another agent", { cmd: "git push" }, { agentId: "b" }],
    ["another session", { cmd: "git push" }, { sessionId: "t" }],
    ["no session", { cmd: "git push" }, { sessionId: "" }],
    ["another tool", { cmd: "git push" }, { toolName: "Shell" }],
  ])("is not for %s", (_what, input, made) => {
    expect(matchesCall(EXACT, call(input, made))).toBe(false);
  });
});

describe("an exception for what begins with a command", () => {
  it.each(["gh pr view", "gh  pr 'view' main", "gh \\pr view", "gh pr view a b"])("is for %j", (cmd) => {
    expect(matchesCall(COMMAND, call({ cmd }))).toBe(true);
  });

  it.each([
    ...[
      "gh pr view; rm -rf /",
      "gh pr view && id",
      "gh pr view & id",
      "gh pr view | sh",
      "gh pr view || id",
      "(gh pr view)",
    ],
    ...[
      "gh pr view\nid",
      "gh pr view\rid",
      "gh pr view > /etc/passwd",
      "gh pr view < x",
      "gh pr view $(id)",
      "gh pr view `id`",
    ],
    ...[
      "gh pr view $HOME",
      "gh pr view *",
      "gh pr view {a,b}",
      "gh pr view ''",
      "A=1 gh pr view",
      "! gh pr view",
      "gh pr view <(id)",
    ],
    ...[
      "gh pr view --force",
      "gh pr view -f",
      "gh pr view +main",
      "gh pr view -- -x",
      "gh",
      "gh pr",
      "gh prs view",
      "gh pr list",
    ],
    ...["gh pr view :main", "gh pr view ':main'", "gh pr view SHELL=./x", "gh pr view 'a=b'"],
    ...["/usr/bin/gh pr view", "Gh pr view", "sudo gh pr view", "env gh pr view", "gh -R other/repo pr view", "", " "],
    ...[
      "gh pr view #x\nid",
      "gh pr view \\\nid",
      "gh pr view $'\\x41'\t",
      "function gh { id; }; gh pr view",
      "gh pr view ~",
    ],
  ])("is not for %j", (cmd) => {
    expect(matchesCall(COMMAND, call({ cmd }))).toBe(false);
  });

  it.each([
    ["a folder it runs in", { cmd: "gh pr view", cwd: "/" }],
    ["two commands", { cmd: "gh pr view", command: "gh pr view" }],
    ["a list of words", { cmd: ["gh", "pr", "view"] }],
    ["no object", "gh pr view"],
    ["an environment", { cmd: "gh pr view", env: { GIT_SSH_COMMAND: "id" } }],
    ["nothing", null],
  ])("is not for %s", (_what, input) => {
    expect(matchesCall(COMMAND, call(input))).toBe(false);
  });

  it.each([
    "sh -c x",
    "bash -c 'gh pr view'",
    "xargs gh pr view",
    "find . -name x",
    "timeout 5 gh pr view",
    "/usr/bin/find x",
  ])("is never made for %j, which runs other commands", (cmd) => {
    expect(commandWordsOf({ cmd })).toBeNull();
  });
});

describe("the reach of an exception", () => {
  it("of a group is its members, of an agent that agent, of the workspace everybody", () => {
    const other = call({ cmd: "git push" }, { agentId: "b", sessionId: "t" });
    expect(matchesCall({ ...EXACT, scope: "group", members: ["b"] }, other)).toBe(true);
    expect(matchesCall({ ...EXACT, scope: "group", members: ["c"] }, other)).toBe(false);
    expect(matchesCall({ ...EXACT, scope: "agent", agentId: "b" }, other)).toBe(true);
    expect(matchesCall({ ...EXACT, scope: "agent" }, other)).toBe(false);
    expect(matchesCall({ ...EXACT, scope: "workspace" }, other)).toBe(true);
  });
});
