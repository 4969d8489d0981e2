import { expect, it } from "vitest";
import { haltForm, haltFormOf } from "@/components/halts/halt-form";
import { DEFAULT_REASON, previewSentence } from "@/components/halts/labels";
import type { HaltPreview, HaltScope } from "@/server/halts/schema";

const none: HaltPreview = { agents: 0, sessions: 0, agentsCut: false, sessionsCut: false };

it.each<[HaltScope, Partial<HaltPreview>, string]>([
  ["workspace", { agents: 3, sessions: 5 }, "Stops 3 agents and 5 sessions in progress."],
  ["group", { agents: 1, sessions: 0 }, "Stops 1 agent and no sessions in progress."],
  ["agent", { agents: 1, sessions: 1 }, "Stops 1 agent and 1 session in progress."],
  [
    "workspace",
    { agents: 1_000, agentsCut: true, sessions: 1_000, sessionsCut: true },
    "Stops at least 1,000 agents and at least 1,000 sessions in progress.",
  ],
  ["agent", { agents: 1, sessions: 0, sessionsCut: true }, "Stops 1 agent and at least 0 sessions in progress."],
  ["group", {}, "No agents to stop now. Agents that join later are stopped too."],
  ["agent", {}, "This agent is retired or removed. The gateway already refuses its calls."],
  ["session", { agents: 1, sessions: 2 }, "Stops 2 sessions in progress."],
  ["session", { agents: 1 }, "This session is not active. The halt denies the session's next call."],
])("says what a halt of %s with %j stops", (scope, counts, sentence) => {
  expect(previewSentence(scope, { ...none, ...counts })).toBe(sentence);
});

const agent = { id: "7b0c2c4e-1b8f-4b44-9d5e-7f0a5c3f9d11", name: "ci" };

it("opens on no target unless one is given, and is complete where one is", () => {
  const empty = haltForm.safeParse(haltFormOf({}));
  expect(empty.error?.issues).toMatchObject([{ path: ["target", "scope"], message: "Choose what to stop." }]);
  expect(haltForm.parse(haltFormOf({ scope: "agent", agent, sessionId: "s1" }))).toEqual({
    target: { scope: "agent", agentId: agent.id, isQuarantine: false },
    reason: DEFAULT_REASON,
  });
  expect(haltForm.parse(haltFormOf({ scope: "session", agent, sessionId: "s1" })).target).toEqual({
    scope: "session",
    agentId: agent.id,
    sessionId: "s1",
  });
  expect(haltForm.parse(haltFormOf({ scope: "group", group: agent })).target).toEqual({
    scope: "group",
    groupId: agent.id,
  });
});
