import { describe, expect, it } from "vitest";
import { inputSha256 } from "../approvals/binding.ts";
import { type CallPattern, commandWordsOf, matchesCall } from "./match.ts";

const EXACT: CallPattern = {
  ...{ scope: "session", agentId: "a", sessionId: "s", members: [], toolName: "shell", command: null },
  inputSha256: inputSha256("shell", { cmd: "git push" }),
};
const COMMAND: CallPattern = { ...EXACT, inputSha256: null, command: ["git", "push", "origin"] };
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
  it.each(["git push origin", "git  push 'origin' main", "git \\push origin", "git push origin a b"])(
    "is for %j",
    (cmd) => {
      expect(matchesCall(COMMAND, call({ cmd }))).toBe(true);
    },
  );

  it.each([
    ...[
      "git push origin; rm -rf /",
      "git push origin && id",
      "git push origin & id",
      "git push origin | sh",
      "git push origin || id",
      "(git push origin)",
    ],
    ...[
      "git push origin\nid",
      "git push origin\rid",
      "git push origin > /etc/passwd",
      "git push origin < x",
      "git push origin $(id)",
      "git push origin `id`",
    ],
    ...[
      "git push origin $HOME",
      "git push origin *",
      "git push origin {a,b}",
      "git push origin ''",
      "A=1 git push origin",
      "! git push origin",
      "git push origin <(id)",
    ],
    ...[
      "git push origin --force",
      "git push origin -f",
      "git push origin +main",
      "git push origin -- -x",
      "git",
      "git push",
      "git pushy origin",
      "git push elsewhere",
    ],
    ...["git push origin :main", "git push origin ':main'", "git push origin SHELL=./x", "git push origin 'a=b'"],
    ...[
      "/usr/bin/git push origin",
      "Git push",
      "sudo git push origin",
      "env git push origin",
      "git -c core.pager=id push",
      "",
      " ",
    ],
    ...[
      "git push origin #x\nid",
      "git push origin \\\nid",
      "git push origin $'\\x41'\t",
      "function git { id; }; git push origin",
      "git push origin ~",
    ],
  ])("is not for %j", (cmd) => {
    expect(matchesCall(COMMAND, call({ cmd }))).toBe(false);
  });

  it.each([
    ["a folder it runs in", { cmd: "git push origin", cwd: "/" }],
    ["two commands", { cmd: "git push origin", command: "git push origin" }],
    ["a list of words", { cmd: ["git", "push"] }],
    ["no object", "git push origin"],
    ["an environment", { cmd: "git push origin", env: { GIT_SSH_COMMAND: "id" } }],
    ["nothing", null],
  ])("is not for %s", (_what, input) => {
    expect(matchesCall(COMMAND, call(input))).toBe(false);
  });

  it.each([
    "sh -c x",
    "bash -c 'git push origin'",
    "xargs git push origin",
    "find . -name x",
    "timeout 5 git push origin",
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
