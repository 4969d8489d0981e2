import { expect, it } from "vitest";
import { describeHold } from "./policy-hold.ts";
import type { AssignedAgent, BoundAgent, RecentCalls } from "./unheld-agents.ts";

const hook = (name: string) => ({ name, type: "command", command: "exit 2" }) as const;
const agent = (name: string, client: string | null): AssignedAgent => ({
  ...{ id: name, name, client, clientVersion: null, yoloAt: null, polledAt: null },
});
const bound = (hooks: object, ...agents: AssignedAgent[]): BoundAgent[] => {
  const enforced = { hooks: hooks as never, sinceMs: 1_000 }; // holds: read as a stored policy's hooks are
  return agents.map((one) => ({ agent: one, enforced }));
};
const NO_CALLS: ReadonlyMap<string, RecentCalls> = new Map();

it("counts the agents that can be stopped, that cannot, and those without an event", () => {
  const hooks = { pre_tool_use: [{ matcher: "shell", hooks: [hook("gate")] }] };
  const agents = bound(hooks, agent("one", "docker-agent"), agent("two", "claude-code"), agent("new", null));
  expect(describeHold(agents, NO_CALLS)).toEqual({
    ...{ hasGate: true, answered: 3, held: 1, unheld: 1, unknown: 1 },
    gaps: [
      {
        ...{ event: "pre_tool_use", name: "gate", matcher: "shell", isEarly: false, agents: 1, of: 3 },
        reasons: ["two names its shell tool Bash"],
      },
    ],
  });
});

it("names a rule that cannot fire although another one of the policy can", () => {
  const hooks = {
    pre_tool_use: [
      { matcher: "shell", hooks: [hook("narrow")] },
      { matcher: "*", hooks: [hook("wide")] },
    ],
    before_llm_call: [hook("budget")],
  };
  const found = describeHold(bound(hooks, agent("two", "codex")), NO_CALLS);
  expect(found).toMatchObject({ held: 1, unheld: 0 });
  expect(found.gaps.map(({ name, reasons }) => [name, reasons])).toContainEqual([
    "budget",
    ["two runs Codex, which never sends before_llm_call"],
  ]);
  expect(found.gaps.map(({ name }) => name)).not.toContain("wide");
});

it("has no gate where no rule can stop a call, and counts a rule of one name once", () => {
  const notes = { turn_end: [hook("note"), hook("note")] };
  const found = describeHold(bound(notes, agent("one", "docker-agent")), NO_CALLS);
  expect(found).toMatchObject({ hasGate: false, answered: 1, unheld: 0 });
  expect(describeHold([], NO_CALLS)).toEqual({ hasGate: false, answered: 0, held: 0, unheld: 0, unknown: 0, gaps: [] });
});
