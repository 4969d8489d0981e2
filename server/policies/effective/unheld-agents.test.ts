import { kindMatcher } from "@quarterdeck/hooks/contract/tool-kinds";
import { describe, expect, it } from "vitest";
import { CLIENT_NAMES } from "../../dialects/schema.ts";
import {
  type AgentSigns,
  describeUnheld,
  findUnheldReason,
  type HeardEvents,
  listUnheldPolicies,
  type RecentCalls,
} from "./unheld-agents.ts";

const hook = { type: "command", command: "exit 2" } as const;
const onTool = (matcher: string, more: object = {}) => ({ pre_tool_use: [{ matcher, ...more, hooks: [hook] }] });
const SINCE_MS = 1_000_000;
const enforced = (hooks: object) => ({ hooks: hooks as never, sinceMs: SINCE_MS }); // holds: read as a stored policy's hooks are
const asked = (tools: readonly string[], lastMsByLane = {}) => ({ tools, lastMsByLane, heard: null });
const MINUTE = 60_000;
const signs = (client: string | null, more: Partial<AgentSigns> = {}): AgentSigns => ({
  ...{ client, clientVersion: null, yoloAt: null, polledAt: null },
  ...more,
});
/** Minutes after the publication. */
const at = (minutes: number) => SINCE_MS + minutes * MINUTE;
const heard = (events: Partial<HeardEvents>) => {
  const none = { firstMs: at(-9), lastMs: at(9), lastAskedMs: null, lastResultMs: null, isCut: false };
  return { tools: [], lastMsByLane: {}, heard: { ...none, ...events } };
};

describe("an agent that a policy cannot stop", () => {
  it.each([
    [
      "its client names its shell tool otherwise",
      onTool("shell"),
      "claude-code",
      undefined,
      "names its shell tool Bash",
    ],
    [
      "it was heard to call its shell otherwise",
      onTool("shell"),
      null,
      asked(["Bash", "Read"]),
      "names its shell tool Bash",
    ],
    ["its client has two names", onTool("shell"), "copilot", undefined, "names its shell tool bash and Bash"],
    [
      "its client edits by another tool",
      onTool("edit_file"),
      "codex",
      undefined,
      "names its file edit tool apply_patch",
    ],
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
      "skips the early check",
    ],
  ])("because %s", (_, hooks, client, recent, reason) => {
    expect(findUnheldReason(enforced(hooks), signs(client), recent)).toBe(reason);
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
    expect(findUnheldReason(enforced(hooks), signs(client), recent)).toBeNull();
  });

  it("is none of any client for the kind of each tool", () => {
    for (const kind of ["shell", "read", "write", "edit", "search", "fetch", "agent"] as const)
      for (const client of CLIENT_NAMES)
        expect(findUnheldReason(enforced(onTool(kindMatcher(kind))), signs(client), undefined), client).toBeNull();
  });
});

describe("a sign of the client", () => {
  const YOLO = { yoloAt: new Date(at(5)) };
  const OLD = { clientVersion: "2.1.9" };
  const reasonAt = (hooks: object, agent: AgentSigns, recent?: RecentCalls) =>
    findUnheldReason(enforced(hooks), agent, recent, at(10));

  it.each([
    [
      "yolo under a rule of the default lane",
      onTool("shell"),
      signs("docker-agent", YOLO),
      "runs in yolo mode, which uses only the early check",
    ],
    [
      "a version from before it could be held",
      onTool("*"),
      signs("claude-code", OLD),
      "runs Claude Code 2.1.9, which is older than 2.1.330, the first version whose hooks were checked",
    ],
    [
      "a local executor that called for its policies before the publication alone",
      onTool("*"),
      signs(null, { polledAt: new Date(at(-1)) }),
      "has a local executor that has not fetched this revision",
    ],
  ])("says that %s is not held", (_, hooks, agent, reason) => {
    expect(reasonAt(hooks, agent)).toBe(reason);
  });

  it.each([
    ["yolo under a rule of the early lane", onTool("shell", { preempt_yolo: true }), signs("docker-agent", YOLO)],
    ["yolo of a client whose hooks run all the same", onTool("*"), signs("claude-code", YOLO)],
    ["yolo of two days ago", onTool("shell"), signs("docker-agent", { yoloAt: new Date(at(10) - 48 * 60 * MINUTE) })],
    ["a version that is new enough", onTool("*"), signs("claude-code", { clientVersion: "2.1.330-beta" })],
    ["a version that cannot be read", onTool("*"), signs("claude-code", { clientVersion: "nightly" })],
    ["a local executor with the newest policies", onTool("*"), signs(null, { polledAt: new Date(at(1)) })],
  ])("says nothing of %s", (_, hooks, agent) => {
    expect(reasonAt(hooks, agent)).toBeNull();
  });

  it("says nothing of a local executor whose agent asks the gateway since", () => {
    const recent = asked(["shell"], { default: at(1) });
    expect(reasonAt(onTool("*"), signs(null, { polledAt: new Date(at(-1)) }), recent)).toBeNull();
  });
});

describe("an agent that sends events", () => {
  const REASON = "sends events but does not ask before tool calls";
  const reasonOf = (events: Partial<HeardEvents>, hooks = onTool("*"), more: Partial<AgentSigns> = {}) =>
    findUnheldReason(enforced(hooks), signs(null, more), heard(events), at(600));

  it.each([
    ["a tool ran and nothing was asked", { lastResultMs: at(9) }],
    ["a tool ran long after the last question", { lastAskedMs: at(-2), lastResultMs: at(70) }],
    ["events came for more than an hour", { firstMs: at(-9), lastMs: at(61) }],
    ["a tool ran well after the first event that was read", { firstMs: at(5), lastResultMs: at(9), isCut: true }],
  ])("is not held where %s", (_, events) => {
    expect(reasonOf(events)).toBe(REASON);
  });

  it.each([
    ["it asked since", { lastAskedMs: at(1), lastResultMs: at(9) }],
    ["a tool ran before the publication alone", { lastResultMs: at(-1) }],
    ["a tool ran that it asked about before the publication", { lastAskedMs: at(-2), lastResultMs: at(9) }],
    ["its first events came just now", { firstMs: at(500), lastMs: at(501) }],
    ["it asked before and only talks since", { lastAskedMs: at(-2), lastMs: at(500) }],
    ["its question may be older than what was read", { firstMs: at(9), lastResultMs: at(9), isCut: true }],
  ])("is not called unheld where %s", (_, events) => {
    expect(reasonOf(events)).toBeNull();
  });

  it("is held by a rule of another event, and by its local executor", () => {
    expect(reasonOf({ lastResultMs: at(9) }, { user_prompt_submit: [hook] } as never)).toBeNull();
    expect(reasonOf({ lastResultMs: at(9) }, onTool("*"), { polledAt: new Date(at(1)) })).toBeNull();
  });
});

it("the sentence counts the agents and names three", () => {
  const agents = ["a", "b", "c", "d"].map((name) => ({ id: name, name, ...signs("claude-code") }));
  const all = [...agents, { id: "e", name: "e", ...signs("docker-agent") }];
  const bound = (hooks: object) => all.map((agent) => ({ agent, enforced: enforced(hooks) }));
  expect(describeUnheld(bound(onTool("shell")), new Map())).toEqual({
    agents: 4,
    says: "4 of 5 bound agents cannot be stopped by it: a names its shell tool Bash; b names its shell tool Bash; c names its shell tool Bash; and 1 more.",
  });
  expect(describeUnheld(bound(onTool("shell|Bash")), new Map())).toBeNull();
});

it("an agent's policies that cannot stop it are named with the reason", () => {
  const member = { policyId: "p", name: "first guard", publishedAt: new Date(0), hooks: onTool("shell") as never }; // holds: as above
  expect(listUnheldPolicies([member], signs("claude-code"), undefined)).toEqual([
    { id: "p", name: "first guard", reason: "names its shell tool Bash" },
  ]);
});
