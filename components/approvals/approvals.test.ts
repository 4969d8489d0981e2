import { describe, expect, it } from "vitest";
import { equalRequests } from "@/components/approvals/equal-requests";
import {
  actOf,
  allowLabel,
  canWithdraw,
  consequenceOf,
  endingOf,
  isQuestion,
  namesOf,
  notForReader,
  peopleSentence,
} from "@/components/approvals/labels";
import { precedentSentence } from "@/components/approvals/precedent";
import { canAnswerInPlace, inputLine } from "@/components/approvals/waiting-call";
import { QUESTION_TOOL } from "@/server/approvals/question-schema";
import type { ApprovalView } from "@/server/approvals/schema";

const AT = new Date("2026-11-25T12:00:00Z");
const LATER = AT.getTime() + 60_000;

const request = (more: Partial<ApprovalView> = {}): ApprovalView => ({
  ...{ id: "0192aaaa-0000-7000-8000-000000000000", number: 7, state: "pending", isWaiting: true, agentId: "a" },
  ...{
    principal: null,
    agentName: "worker",
    sessionId: "s",
    toolName: "shell",
    input: '{"cmd":"ls"}',
    isWhole: true,
    cwd: "/",
  },
  ...{
    reason: "Why?",
    askedBy: [],
    risk: "",
    riskClass: "medium",
    peopleNeeded: 1,
    askedAt: AT,
    expiresAt: AT,
    closedAt: null,
    words: "",
  },
  ...{
    editedInput: null,
    grantedUntil: null,
    usedAt: null,
    answers: [],
    moreNeeded: 1,
    ownAllowance: "none",
    isOwn: false,
    ...{ isForReader: true, answerers: { names: [], more: 0 } },
    ...{ needsConfirmation: false, askedOf: null, isRouted: false, escalation: null, remindedAt: null },
    ...more,
  },
});

const agreed = (name: string, isCounted = true) => ({
  ...{ personId: name, name, isAllow: true, answeredAt: AT, isCounted },
});

describe("a question of the agent's own", () => {
  const asked = { toolName: QUESTION_TOOL, isWaiting: false };
  it("is shown as one, and its yes is no allowance that goes unused", () => {
    const question = request(asked);
    expect(actOf(question)).toBe("asks a question");
    expect(endingOf(request({ ...asked, state: "approved", grantedUntil: AT }), LATER)).toMatchObject({ word: "Yes" });
  });

  it("is no call of a tool that is named like it", () => {
    const askedBy = [{ policy: "house", revision: 1, path: "hooks.pre_tool_use[0]", name: "ask", policyId: null }];
    expect(isQuestion(request({ ...asked, askedBy }))).toBe(false);
    expect(isQuestion(request({ ...asked, isWaiting: true }))).toBe(false);
    expect(actOf(request())).toBe("wants to use shell");
  });
});

describe("requests that are one card", () => {
  it("are the same call of one session, in the order in which the first of each ends", () => {
    const groups = equalRequests([
      request({ id: "1" }),
      request({ id: "2", sessionId: "other" }),
      request({ id: "3" }),
      request({ id: "4", input: '{"cmd":"rm"}' }),
    ]);
    expect(groups.map(({ all }) => all.map(({ id }) => id))).toEqual([["1", "3"], ["2"], ["4"]]);
  });

  it("are not those of which one was agreed to already: a yes ends one and not the other", () => {
    const two = { peopleNeeded: 2, moreNeeded: 2 };
    const other = request({ ...two, id: "2", moreNeeded: 1, answers: [agreed("Ada")] });
    expect(equalRequests([request({ ...two, id: "1" }), other])).toHaveLength(2);
  });

  it("are not those of which a part is hidden: they may differ there", () => {
    const masked = { input: '{"key":"[REDACTED]"}', isWhole: false };
    expect(equalRequests([request({ id: "1", ...masked }), request({ id: "2", ...masked })])).toHaveLength(2);
  });
});

describe("a call that needs two people", () => {
  const two = { peopleNeeded: 2, moreNeeded: 2 };
  it("runs at once only by the last yes", () => {
    const first = request(two);
    expect([allowLabel(first), peopleSentence(first)]).toEqual(["Agree", "Two people must approve the call."]);
    expect(consequenceOf(first)).toContain("after a second person approves");
    const last = request({ ...two, moreNeeded: 1, answers: [agreed("Ada")] });
    expect(allowLabel(last)).toBe("Allow once");
    expect(peopleSentence(last)).toBe("Ada agreed; one more must agree.");
    expect(peopleSentence(request())).toBeUndefined();
  });

  it("does not run at once by the yes after one that counts no longer", () => {
    const after = request({ ...two, answers: [agreed("Ada", false)] });
    expect(allowLabel(after)).toBe("Agree");
    expect(consequenceOf(after)).toContain("after a second person approves");
    expect(peopleSentence(after)).toBe("Two people must approve the call. Ada can no longer approve.");
    const last = request({ ...two, moreNeeded: 1, answers: [agreed("Ada", false), agreed("Bo")] });
    expect(allowLabel(last)).toBe("Allow once");
    expect(peopleSentence(last)).toContain("Bo agreed; one more must agree. Ada");
  });
});

describe("the end of a request", () => {
  it.each([
    [{ state: "denied" }, "Denied"],
    [{ state: "lapsed" }, "Lapsed"],
    [{ state: "withdrawn" }, "Taken back"],
    [{ state: "approved", usedAt: AT }, "Allowed"],
    [{ state: "approved", usedAt: AT, editedInput: "{}" }, "Edited"],
    [{ state: "approved", usedAt: null, editedInput: "{}", grantedUntil: null }, "Edited"],
    [{ state: "approved", grantedUntil: new Date(LATER + 1) }, "Allowed"],
    [{ state: "approved", grantedUntil: new Date(LATER) }, "Not used"],
  ] as const)("%j is %s", (more, word) => {
    expect(endingOf(request(more), LATER).word).toBe(word);
  });

  it("can be undone only while an allowed ticket is unused", () => {
    const granted = { state: "approved", isWaiting: false, grantedUntil: new Date(LATER + 1) } as const;
    expect(canWithdraw(request(granted), LATER)).toBe(true);
    for (const more of [{ usedAt: AT }, { isWaiting: true }, { grantedUntil: AT }, { state: "denied" }] as const)
      expect(canWithdraw(request({ ...granted, ...more }), LATER)).toBe(false);
  });

  it("names those who answered", () => {
    const answers = ["Ada", "Bo"].map((name) => agreed(name));
    expect(namesOf(request({ answers }))).toBe("Ada and Bo");
    expect(namesOf(request())).toBe("nobody");
  });
});

describe("precedent", () => {
  const none = { allowed: 0, denied: 0, lapsed: 0 };
  it("is of this very call where there is any, else of the tool", () => {
    expect(precedentSentence({ same: { ...none, allowed: 2, denied: 1 }, tool: none })).toBe(
      "Earlier requests for this exact call, in the last 30 days: 2 allowed, 1 denied.",
    );
    expect(precedentSentence({ same: none, tool: { ...none, lapsed: 4 } })).toContain(
      "No earlier request for this exact call.",
    );
    expect(precedentSentence({ same: none, tool: none })).toContain("No earlier request from this agent for this tool");
    expect(precedentSentence({ same: { ...none, denied: 1, lapsed: 999 }, tool: none })).toBe(
      "Earlier requests for this exact call, the newest 1,000: 1 denied, 999 lapsed.",
    );
  });
});

describe("a call that waits on Home", () => {
  it("shows its whole input in a line, or none of it", () => {
    expect(inputLine(request())).toBe("ls");
    expect(inputLine(request({ input: '{"path":"a","text":"b"}' }))).toBe('path: "a", text: "b"');
    expect(inputLine(request({ input: '{"a":"x\\", b: \\"y","n":1}' }))).toBe('a: "x\\", b: \\"y", n: 1');
    for (const input of ['{"cmd":"rm","cmd":"ls"}', '{"id":12345678901234567890,"a":"b"}', '{"a":{"b":1},"c":"d"}'])
      expect(inputLine(request({ input }))).toBe(input);
    for (const hidden of [
      { isWhole: false },
      { input: JSON.stringify({ cmd: "x".repeat(161) }) },
      { input: JSON.stringify({ cmd: "ls\nrm -rf build" }) },
      { input: JSON.stringify({ cmd: "echo \u202e" }) },
    ])
      expect(inputLine(request(hidden))).toBeNull();
  });
  it("is answered in its row only where its card asks for nothing more", () => {
    expect(canAnswerInPlace(request(), true)).toEqual({ allow: true, deny: true });
    expect(canAnswerInPlace(request({ ownAllowance: "same_person" }), true)).toEqual({ allow: false, deny: true });
    for (const more of [
      { needsConfirmation: true },
      { moreNeeded: 2, peopleNeeded: 2 },
      { isWhole: false },
    ] satisfies Partial<ApprovalView>[])
      expect(canAnswerInPlace(request(more), true)).toEqual({ allow: false, deny: true });
    for (const more of [
      { isOwn: true },
      { isRouted: true },
      { ownAllowance: "given" },
    ] satisfies Partial<ApprovalView>[])
      expect(canAnswerInPlace(request(more), true)).toEqual({ allow: false, deny: false });
    expect(canAnswerInPlace(request(), false)).toEqual({ allow: false, deny: false });
  });
});

describe("a request for other people", () => {
  const names = (...all: string[]) => ({ answerers: { names: all, more: 0 } });
  it("says why the reader cannot answer, and who can", () => {
    expect(notForReader(request(), true)).toBeNull();
    expect(notForReader(request({ isOwn: true, ...names("Ada", "Bo") }), true)).toBe(
      "You cannot answer: you, or an account linked to you, created a key of this agent or logged in on it. Ada or Bo can answer.",
    );
    expect(notForReader(request(names("Ada")), false)).toBe("Your role cannot answer calls. Ada can answer.");
    const routed = request({
      isRouted: true,
      askedOf: "Operations",
      answerers: { names: ["Ada", "Bo", "Cy"], more: 2 },
    });
    expect(notForReader(routed, true)).toBe(
      "Operations answers this call first. Ada, Bo, Cy or 2 others can answer. You can answer when it escalates to one of your lists.",
    );
    expect(notForReader(request({ isOwn: true }), true)).toContain("No person can answer this call now.");
  });
});
