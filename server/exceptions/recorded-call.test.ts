/** Recorded calls whose input is not on record any more. */
import { expect, it } from "vitest";
import { bindingOf } from "../approvals/index.ts";
import type { PastCall } from "./effect-repository.ts";
import { type DraftException, effectOn } from "./recorded-call.ts";

const call = { session_id: "s", tool_name: "fetch", tool_input: { cmd: "get page" } };
const draft: DraftException = {
  exception: {
    ...bindingOf(call),
    ...{ scope: "agent", agentId: "agent", members: [], command: null, lifts: "verdict", rules: [] },
  },
  isOfPlainInput: true,
  findRule: async () => null,
  needsOthers: async () => false,
};
const past: PastCall = {
  ...{ occurredAt: new Date(0), receivedAt: new Date(0), id: "id", agentId: "agent", agentName: "bot", sessionId: "s" },
  ...{ toolUseId: null, event: "pre_tool_use", verdict: "deny", input: "{}", hooks: "[]", excerpt: "" },
};

it("an erased call may be one of an exception's, where it is of whom the exception is for", async () => {
  expect(await effectOn(draft, past)).toBe("unknown");
  expect(await effectOn(draft, { ...past, agentId: "another" })).toBe("none");
});
