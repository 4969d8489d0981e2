import { describe, expect, it } from "vitest";
import { heardAfter } from "@/components/layout/use-gateway-status";
import { arrangeable, moved } from "@/components/overview/arrange-dialog";
import { barDurationText } from "@/components/overview/bar-duration";
import { changeText } from "@/components/overview/cards/agent-changes";
import { revisionWords } from "@/components/overview/cards/agents-seen";
import { HOME_CARD_SPECS, wholeRows } from "@/components/overview/cards/home-cards";
import { describeGateHealth } from "@/components/overview/gate-health";
import { describeGateState } from "@/components/overview/gate-state";
import { activityHref, OUTCOMES, outcomeModel, outcomesOf } from "@/components/overview/outcome-model";
import { sparklineValues } from "@/components/overview/sparkline-values";
import { spendChangeText, spendCoverageText } from "@/components/overview/spend-text";
import { gapRows } from "@/components/overview/use-gate-gaps";
import { DEFAULT_CARDS, HOME_CARDS, type HomeCard } from "@/server/overview/home-cards/schema";
import type { OverviewPoint, OverviewSummary } from "@/server/overview/schema";
import type { GateGaps } from "@/server/policies/schema";

const nothing: OverviewSummary = {
  from: new Date(0),
  to: new Date(1),
  dispatches: 0,
  gates: 0,
  gatesWithoutOpinion: 0,
  gatesWithoutRule: 0,
  gatesDenied: 0,
  gatesAsked: 0,
  gateDenied: 0,
  hooksFailed: 0,
  allowed: 0,
  denied: 0,
  canceled: 0,
  prompted: 0,
  compactions: 0,
  callsPriced: 0,
  callsFree: 0,
  callsUnpriced: 0,
  costNano: 0n,
  activeAgents: 0,
  perMinuteNow: null,
};
describe("the words for an agent", () => {
  const agent = { id: "", name: "", isDemo: false, lastSeenAt: new Date(0), lastRevision: "a", revisionInForce: "a" };
  const words = (more: object) => revisionWords({ ...agent, policies: 1, unheld: null, ...more });
  const unheld = "Not held by guard: sends events but does not ask before tool calls.";

  it("are green only on the policy in force that can stop it", () => {
    expect(words({})).toEqual({ tone: "allow", label: "Policy up to date" });
    expect(words({ lastRevision: "b" })).toEqual({ tone: "ask", label: "Older policy revision" });
  });

  it.each([{}, { lastRevision: "b" }, { lastRevision: "" }, { lastSeenAt: null, lastRevision: null }])(
    "say that it is not held before anything milder: %j",
    (more) => {
      expect(words({ ...more, unheld })).toEqual({ tone: "ask", label: "Not fully enforced" });
    },
  );
});

const closed: GateGaps = { unheld: { policies: 0, shown: [] }, ungoverned: { agents: 0, names: [] } };
const state = (sums: Partial<OverviewSummary>, isGoverned = true, isHalted = false, gaps = closed) =>
  describeGateState({ ...nothing, ...sums }, { isGoverned }, "in the last hour", isHalted, gaps);

describe("the state of the gate", () => {
  it("is never called fine when nothing governs, whatever else is fine", () => {
    expect(state({ dispatches: 9, gates: 9 }, false).word).toBe("No gate");
  });
  it("is halted before anything else, whatever was answered until then", () => {
    const halted = { tone: "error", word: "Halted", action: { href: "/audit/halts" } };
    expect(state({ dispatches: 9, gates: 9, gatesWithoutOpinion: 3 }, true, true)).toMatchObject(halted);
    expect(state({}, false, true)).toMatchObject(halted);
  });
  it("puts failing hooks before everything that works", () => {
    expect(state({ dispatches: 9, gates: 9, hooksFailed: 1 })).toMatchObject({ tone: "error", word: "Hooks fail" });
  });
  it.each([
    [{}, "Quiet"],
    [{ dispatches: 5 }, "Watching only"],
    [{ dispatches: 5, gates: 3, gatesWithoutOpinion: 3, gatesWithoutRule: 3 }, "Open"],
    [{ dispatches: 5, gates: 3, gatesWithoutOpinion: 3, gatesWithoutRule: 2 }, "Checking calls"],
  ])("of %j is %s", (sums, word) => expect(state(sums).word).toBe(word));
  it("is never called fine while a policy cannot stop an agent it is assigned to", () => {
    const says = "1 of 2 bound agents cannot be stopped by it: mia names its shell tool Bash.";
    const shown = [{ policyId: "p1", policy: "guard", says }];
    const unheld = { ...closed, unheld: { policies: 2, shown } };
    expect(state({ dispatches: 5, gates: 3 }, true, false, unheld)).toMatchObject({
      tone: "ask",
      word: "Not everywhere",
      sentence: "Some calls pass unchecked: 2 policies cannot stop all of their agents.",
    });
    expect(gapRows(unheld)).toEqual([
      { id: "p1", name: "guard", says, href: "/policies/p1" },
      {
        id: "more policies",
        name: "1 more policy",
        says: "These policies cannot block the calls of some of their agents.",
        href: "/policies",
      },
    ]);
  });
  it("is never called fine while an agent has no enforced policy", () => {
    const free = { ...closed, ungoverned: { agents: 4, names: ["a", "b", "c"] } };
    expect(state({ dispatches: 5, gates: 3 }, true, false, free)).toMatchObject({
      tone: "ask",
      sentence: "Some calls pass unchecked: 4 agents have no enforced policy.",
    });
    expect(gapRows(free)).toMatchObject([
      {
        name: "4 agents have no enforced policy",
        says: "a, b, c and 1 more. Calls pass unless a halt denies them.",
      },
    ]);
    expect(gapRows(closed)).toEqual([]);
  });
  it("names its calls and its range", () => {
    expect(state({ dispatches: 5, gates: 5, gatesWithoutOpinion: 3, gatesWithoutRule: 1 }).sentence).toBe(
      "5 tool calls in the last hour; every check was completed.",
    );
  });
});

const point = (at: number, more: Partial<OverviewPoint>): OverviewPoint => ({
  at: new Date(at),
  dispatches: 0,
  gates: 0,
  gatesWithoutOpinion: 0,
  gatesWithoutRule: 0,
  gatesDenied: 0,
  gatesAsked: 0,
  gateDenied: 0,
  denied: 0,
  prompted: 0,
  hooksFailed: 0,
  compactions: 0,
  costNano: 0n,
  ...more,
});

describe("calls over time", () => {
  it.each([
    { gates: 9, gatesWithoutOpinion: 4, gatesWithoutRule: 1, gatesDenied: 2, gatesAsked: 1 },
    { gates: 3, gatesDenied: 3 },
    { dispatches: 1 },
  ])("are each under one outcome, in %j", (counts) => {
    const of = point(0, counts);
    const outcomes = outcomesOf(of);
    expect(Object.values(outcomes).every((count) => count >= 0)).toBe(true);
    expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(of.gates);
    expect(outcomes).toMatchObject({ denied: of.gatesDenied, asked: of.gatesAsked, no_rule: of.gatesWithoutRule });
  });
  it("leave what has not happened yet as a gap, and what did not happen as zero", () => {
    const counts = {
      dispatches: 3,
      gates: 5,
      gatesWithoutOpinion: 2,
      gatesWithoutRule: 1,
      gatesDenied: 1,
      gatesAsked: 1,
    };
    const series = {
      from: new Date(0),
      to: new Date(240_000),
      bucketMs: 60_000,
      points: [point(60_000, counts)],
    };
    const model = outcomeModel(series, 130_000);
    expect(model.series.map((each) => each.name)).toEqual(OUTCOMES);
    expect(model.buckets.map((bucket) => bucket.values)).toEqual([
      [0, 0, 0, 0, 0],
      [1, 1, 1, 1, 1],
      [0, 0, 0, 0, 0],
      [null, null, null, null, null],
    ]);
    const down = [{ from: new Date(120_000), to: new Date(180_000) }];
    expect(sparklineValues(series, (each) => each.dispatches, 130_000)).toEqual([0, 3, 0]);
    expect(sparklineValues(series, (each) => each.dispatches, 130_000, down)).toEqual([0, 3, null]);
  });
  it("open Activity with their range and outcome", () => {
    expect(activityHref("7d", "no_rule")).toBe("/activity?q=outcome%3Ano_rule_ran&range=7d");
    expect(activityHref("24h")).toBe("/activity?range=24h");
  });
  it.each([
    [60_000, "minute"],
    [300_000, "5 minutes"],
    [3_600_000, "hour"],
    [21_600_000, "6 hours"],
    [86_400_000, "day"],
  ])("says that a bar of %d ms is one %s", (ms, words) => expect(barDurationText(ms)).toBe(words));
});

describe("the spend of today", () => {
  const day = (costNano: bigint, calls = 4, unpriced = 0) => ({
    ...{ from: new Date(0), to: new Date(1), costNano, calls, unpriced },
  });
  it.each([
    [day(1_180_000_000n), day(1_000_000_000n), "18 % more than at this time yesterday ($1.00)"],
    [day(985_000_000n), day(1_000_000_000n), "1.5 % less than at this time yesterday ($1.00)"],
    [day(4_000_000_000n), day(1_000_000_000n), "300 % more than at this time yesterday ($1.00)"],
    [day(4_000_000_000n), day(3_000_000n), "more than 10 times as much as at this time yesterday ($0.0030)"],
    [day(7n), day(7n), "the same as at this time yesterday (<$0.0001)"],
    [day(1_000_000_001n), day(1_000_000_000n), "about the same as at this time yesterday ($1.00)"],
    [day(5n), day(0n, 0), "no model calls by this time yesterday"],
    [day(5n), day(0n, 3), "$0 by this time yesterday"],
  ])("is compared with yesterday: %#", (today, yesterday, text) => {
    expect(spendChangeText({ today, yesterday })).toBe(text);
  });
  it("names its coverage", () => {
    expect(spendCoverageText(day(1n, 1))).toBe("1 model call, priced");
    expect(spendCoverageText(day(1n, 4, 1))).toBe("75 % of 4 model calls priced");
  });
});

describe("the changes of an agent", () => {
  it.each([
    [{ kind: "new_tools", tools: ["fetch"], count: 1 }, "called fetch for the first time"],
    [{ kind: "new_tools", tools: ["a", "b"], count: 2 }, "called a and b for the first time"],
    [{ kind: "new_tools", tools: ["a", "b", "c"], count: 5 }, "called a, b, c and 2 more for the first time"],
    [{ kind: "silent", tools: [], count: 0 }, "sent its last event"],
  ] as const)("read as a sentence: %j", ({ kind, tools, count }, text) => {
    expect(changeText({ kind, tools: [...tools], count })).toBe(text);
  });
});

describe("the cards of Home", () => {
  it("are all described, and all can be arranged, the shown ones first", () => {
    expect(Object.keys(HOME_CARD_SPECS).sort()).toEqual([...HOME_CARDS].sort());
    expect(arrangeable(["coverage", "denials"]).slice(0, 2)).toEqual(["coverage", "denials"]);
    expect([...arrangeable(["coverage"])].sort()).toEqual([...HOME_CARDS].sort());
  });
  it("move by one place, and not past the ends", () => {
    const order = arrangeable(DEFAULT_CARDS);
    expect(moved(order, "outcomes", "up").slice(0, 2)).toEqual(["outcomes", "figures"]);
    expect(moved(order, "figures", "up")).toEqual(order);
    expect(moved(order, order.at(-1) ?? "figures", "down")).toEqual(order);
  });
  it.each<[HomeCard[], boolean[]]>([
    [
      ["figures", "denials", "agents"],
      [true, false, false],
    ],
    [
      ["denials", "agents", "most_denied"],
      [false, false, true],
    ],
    [
      ["denials", "figures", "agents"],
      [true, true, true],
    ],
    [[], []],
  ])("share a row in pairs: %j", (cards, whole) => expect(wholeRows(cards)).toEqual(whole));
});

describe("the gateway's health", () => {
  const nowMs = Date.UTC(2026, 10, 27, 5, 52);
  const answer = { since: null, reasons: [], refused: 0, checks: {}, figuresBehindMs: 0 };
  const answering = { ...answer, state: "answering" } as const;
  const since = new Date(nowMs - 15_000).toISOString();
  const reasons = ["The database is not responding."];
  const blocking = { ...answer, state: "blocking" as const, since, refused: 2, reasons };
  it("leaves the headline to the calls only while an answer of the last ten seconds says so", () => {
    expect(describeGateHealth({ status: answering, heardMs: nowMs - 9_000 }, nowMs)).toBeNull();
    expect(describeGateHealth({ status: answering, heardMs: nowMs - 10_001 }, nowMs)).toMatchObject({
      tone: "unknown",
      word: "Not known",
    });
  });
  it("says since when agents are refused, and why", () => {
    const said = describeGateHealth({ status: blocking, heardMs: nowMs }, nowMs);
    expect(said).toMatchObject({ tone: "error", word: "Refusing calls" });
    expect(said?.sentence).toMatch(
      /^Agent requests refused since .*\d\d:\d\d:45: the database is not responding\. 2 requests refused\.$/,
    );
  });
  it("keeps a stated refusal through requests that fail, until it is ten seconds old", () => {
    const heard = { status: blocking, heardMs: nowMs };
    expect(heardAfter(heard, "silent", nowMs + 9_000)).toBe(heard);
    const late = heardAfter(heard, "silent", nowMs + 10_001);
    expect(describeGateHealth(late, nowMs + 10_001)?.word).toBe("Not known");
    expect(heardAfter(heard, answering, nowMs + 1)).toEqual({ status: answering, heardMs: nowMs + 1 });
    const silent = heardAfter({ status: answering, heardMs: nowMs }, "silent", nowMs + 2_000);
    expect(describeGateHealth(silent, nowMs + 2_000)?.word).toBe("Not known");
  });
  it.each([
    ["asking", null, "Not known"],
    ["silent", nowMs - 2_000, "Not known"],
    ["silent", nowMs - 11_000, "Not known"],
    [{ ...answer, state: "stopping" } as const, nowMs, "Refusing calls"],
    [{ ...answer, state: "elsewhere" } as const, nowMs, "Not known"],
  ] as const)("is never called fine while it is not known: %j, heard %d", (status, heardMs, word) => {
    expect(describeGateHealth({ status, heardMs }, nowMs)?.word).toBe(word);
  });
});
