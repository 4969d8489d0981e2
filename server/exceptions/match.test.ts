import { describe, expect, it } from "vitest";
import { inputSha256 } from "../approvals/binding.ts";
import { type CallPattern, commandWordsOf, matchesCall } from "./match.ts";

const EXACT: CallPattern = {
  ...{ scope: "session", agentId: "a", sessionId: "s", members: [], toolName: "shell", command: null },
  inputSha256: inputSha256("shell", { cmd: "git push" }),
};
const COMMAND: CallPattern = { ...EXACT, inputSha256: null, command: ["git", "push"] };
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
  it.each(["git push", "git push origin", "git  push 'origin' main", "git \\push"])("is for %j", (cmd) => {
    expect(matchesCall(COMMAND, call({ cmd }))).toBe(true);
  });

  it.each([
    ...["git push; rm -rf /", "git push && id", "git push & id", "git push | sh", "git push || id", "(git push)"],
    ...["git push\nid", "git push\rid", "git push > /etc/passwd", "git push < x", "git push $(id)", "git push `id`"],
    ...[
      "git push $HOME",
      "git push *",
      "git push {a,b}",
      "git push ''",
      "A=1 git push",
      "! git push",
      "git push <(id)",
    ],
    ...["git push --force", "git push -f", "git push origin +main", "git push origin -- -x", "git", "git pushy"],
    ...["git push origin :main", "git push origin ':main'", "git push SHELL=./x", "git push origin 'a=b'"],
    ...["/usr/bin/git push", "Git push", "sudo git push", "env git push", "git -c core.pager=id push", "", " "],
    ...["git push #x\nid", "git push \\\nid", "git push $'\\x41'\t", "function git { id; }; git push", "git push ~"],
  ])("is not for %j", (cmd) => {
    expect(matchesCall(COMMAND, call({ cmd }))).toBe(false);
  });

  it.each([
    ["a folder it runs in", { cmd: "git push", cwd: "/" }],
    ["two commands", { cmd: "git push", command: "git push" }],
    ["a list of words", { cmd: ["git", "push"] }],
    ["no object", "git push"],
    ["an environment", { cmd: "git push", env: { GIT_SSH_COMMAND: "id" } }],
    ["nothing", null],
  ])("is not for %s", (_what, input) => {
    expect(matchesCall(COMMAND, call(input))).toBe(false);
  });

  it.each([
    "sh -c x",
    "bash -c 'git push'",
    "xargs git push",
    "find . -name x",
    "timeout 5 git push",
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
