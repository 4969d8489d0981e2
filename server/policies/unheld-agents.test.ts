import { kindMatcher } from "@quarterdeck/hooks/contract/tool-kinds";
import { describe, expect, it } from "vitest";
import { CLIENT_NAMES } from "../dialects/schema.ts";
import { describeUnheld, findUnheldReason, listUnheldPolicies } from "./unheld-agents.ts";

const hook = { type: "command", command: "exit 2" } as const;
const onTool = (matcher: string, more: object = {}) => ({ pre_tool_use: [{ matcher, ...more, hooks: [hook] }] });
const SINCE_MS = 1_000_000;
const enforced = (hooks: object) => ({ hooks: hooks as never, sinceMs: SINCE_MS }); // holds: read as a stored policy's hooks are
const asked = (tools: readonly string[], lastMsByLane = {}) => ({ tools, lastMsByLane });

describe("an agent that a policy cannot stop", () => {
  it.each([
    ["its client calls its shell otherwise", onTool("shell"), "claude-code", undefined, "calls its shell Bash"],
    [
      "it was heard to call its shell otherwise",
      onTool("shell"),
      null,
      asked(["Bash", "Read"]),
      "calls its shell Bash",
    ],
    ["its client has two names", onTool("shell"), "copilot", undefined, "calls its shell bash and Bash"],
    ["its client edits by another tool", onTool("edit_file"), "codex", undefined, "calls its file edit apply_patch"],
    [
      "its client never sends the event",
      { before_llm_call: [hook] },
      "codex",
      undefined,
      "runs Codex, which never sends before_llm_call",
    ],
    [
      "it names the default lane alone",
      onTool("*", { preempt_yolo: true }),
      null,
      asked(["shell"], { default: SINCE_MS + 90_000 }),
      "skips the early check of its calls",
    ],
  ])("because %s", (_, hooks, client, recent, reason) => {
    expect(findUnheldReason(enforced(hooks), { client }, recent)).toBe(reason);
  });

  it.each([
    ["a kind", onTool(kindMatcher("shell")), "claude-code", undefined],
    ["every tool", onTool("*"), "cursor", undefined],
    [
      "one rule of two",
      { pre_tool_use: [...onTool("shell").pre_tool_use, ...onTool("Bash").pre_tool_use] },
      "codex",
      undefined,
    ],
    ["what it calls, whatever its client is known for", onTool("my_shell|shell"), "docker-agent", asked(["shell"])],
    ["a tool of no kind", onTool("deploy"), "claude-code", undefined],
    ["an agent of which nothing is known", onTool("shell"), null, undefined],
    ["a policy that stops nothing", { turn_start: [hook] }, "codex", undefined],
    [
      "calls from before it was published",
      onTool("*", { preempt_yolo: true }),
      null,
      asked(["shell"], { default: SINCE_MS - 1 }),
    ],
    [
      "calls of both lanes",
      onTool("*", { preempt_yolo: true }),
      null,
      asked(["shell"], { default: SINCE_MS + 90_000, preempt_yolo: SINCE_MS + 90_000 }),
    ],
  ])("is none for %s", (_, hooks, client, recent) => {
    expect(findUnheldReason(enforced(hooks), { client }, recent)).toBeNull();
  });

  it("is none of any client for the kind of each tool", () => {
    for (const kind of ["shell", "read", "write", "edit", "search", "fetch", "agent"] as const)
      for (const client of CLIENT_NAMES)
        expect(findUnheldReason(enforced(onTool(kindMatcher(kind))), { client }, undefined), client).toBeNull();
  });
});

it("the sentence counts the agents and names three", () => {
  const agents = ["a", "b", "c", "d"].map((name) => ({ id: name, name, client: "claude-code" }));
  const bound = [...agents, { id: "e", name: "e", client: "docker-agent" }];
  expect(describeUnheld(enforced(onTool("shell")), bound, new Map())).toEqual({
    agents: 4,
    says: "4 of 5 bound agents cannot be stopped by it: a calls its shell Bash; b calls its shell Bash; c calls its shell Bash; and 1 more.",
  });
  expect(describeUnheld(enforced(onTool("shell|Bash")), bound, new Map())).toBeNull();
});

it("an agent's policies that cannot stop it are named with the reason", () => {
  const member = { policyId: "p", name: "first guard", publishedAt: new Date(0), hooks: onTool("shell") as never }; // holds: as above
  expect(listUnheldPolicies([member], { client: "claude-code" }, undefined)).toEqual([
    { id: "p", name: "first guard", reason: "calls its shell Bash" },
  ]);
});
