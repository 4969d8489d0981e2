import { describe, expect, it } from "vitest";
import { agentStatusOf, enrolmentUrl, keyStateOf } from "@/components/agents/agent-status";
import { agentStatusSentence } from "@/components/agents/drift";

describe("an agent's status", () => {
  it.each([
    [null, "a", "never_reported"],
    ["", "a", "never_reported"],
    ["a", "a", "current"],
    ["b", "a", "drifted"],
    ["none", "a", "drifted"],
    ["a", "none", "unbound"],
    [null, "none", "unbound"],
  ] as const)("answered under %j with %j in force is %s", (lastRevision, revisionInForce, status) => {
    expect(agentStatusOf({ lastRevision, revisionInForce })).toBe(status);
  });
});

describe("an agent that a policy cannot stop", () => {
  const unheld = [{ id: "p", name: "guard", reason: "names its shell tool Bash" }];
  it.each([null, "", "a", "b"])("is not held, whatever answered it last: %j", (lastRevision) => {
    expect(agentStatusOf({ lastRevision, revisionInForce: "a", unheld })).toBe("unheld");
  });

  it("has no policy where none binds it", () => {
    expect(agentStatusOf({ lastRevision: "a", revisionInForce: "none", unheld })).toBe("unbound");
  });
});

it("a change since the last event is promised to no local executor that has not fetched it", () => {
  const sentence = agentStatusSentence({ lastRevision: "b", revisionInForce: "a", unheld: [] });
  expect(sentence).toContain("A local executor must fetch them first");
});

describe("a key", () => {
  const now = Date.parse("2026-01-02T00:00:00Z");
  const before = new Date(now - 1);
  const after = new Date(now + 1);
  it.each([
    [null, null, "live"],
    [null, after, "live"],
    [null, before, "expired"],
    [before, after, "revoked"],
    [before, before, "revoked"],
  ] as const)("revoked %j, expiring %j", (revokedAt, expiresAt, state) => {
    expect(keyStateOf({ revokedAt, expiresAt }, now)).toBe(state);
  });
});

describe("the address to enrol with", () => {
  it.each([
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000", "http://127.0.0.1:3000"],
    ["http://127.0.0.1:3000", "http://localhost:3000", "http://127.0.0.1:3000"],
    ["http://127.0.0.1:3000", "https://deck.example", "https://deck.example"],
    ["https://deck.example", "http://10.0.0.5:3000", "https://deck.example"],
  ])("server %s, browser %s", (own, origin, url) => {
    expect(enrolmentUrl(own, origin)).toBe(url);
  });
});
