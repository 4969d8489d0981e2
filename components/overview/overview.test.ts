import { describe, expect, it } from "vitest";
import { heardAfter } from "@/components/layout/use-gateway-status";
import { revisionWords } from "@/components/overview/agents-seen";
import { barDurationText, decisionModel, decisionsOf, sparkOf } from "@/components/overview/decision-model";
import { describeGateHealth } from "@/components/overview/gate-health";
import { describeGateState } from "@/components/overview/gate-state";
import type { OverviewPoint, OverviewSummary } from "@/server/overview/schema";
import type { GateGaps } from "@/server/policies/schema";

const nothing: OverviewSummary = {
  from: new Date(0),
  to: new Date(1),
  dispatches: 0,
  gates: 0,
  gatesWithoutOpinion: 0,
  gatesWithoutRule: 0,
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
  const unheld = "Not held by guard: sends events and asks nothing before a tool call.";

  it("are green only on the policy in force that can stop it", () => {
    expect(words({})).toEqual({ tone: "allow", label: "On the current policy" });
    expect(words({ lastRevision: "b" })).toEqual({ tone: "ask", label: "On an older revision" });
  });

  it.each([{}, { lastRevision: "b" }, { lastRevision: "" }, { lastSeenAt: null, lastRevision: null }])(
    "say that it is not held before anything milder: %j",
    (more) => {
      expect(words({ ...more, unheld })).toEqual({ tone: "ask", label: "Not held by a policy" });
    },
  );
});

const closed: GateGaps = { unheld: { policies: 0, first: null }, ungoverned: { agents: 0, names: [] } };
const state = (sums: Partial<OverviewSummary>, isGoverned = true, isHalted = false, gaps = closed) =>
  describeGateState({ ...nothing, ...sums }, { isGoverned }, "in the last hour", isHalted, gaps);

describe("the state of the gate", () => {
  it("is never called working when nothing governs, whatever else is fine", () => {
    expect(state({ dispatches: 9, gates: 9 }, false).word).toBe("No gate");
  });
  it("is halted before anything else, whatever was answered until then", () => {
    const halted = { tone: "error", word: "Halted", action: { href: "/halts" } };
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
    [{ dispatches: 5, gates: 3, gatesWithoutOpinion: 3, gatesWithoutRule: 2 }, "Working"],
  ])("of %j is %s", (sums, word) => expect(state(sums).word).toBe(word));
  it("is never called working while a policy cannot stop an agent it is assigned to", () => {
    const first = { policy: "guard", says: "1 of 2 bound agents cannot be stopped by it: mia calls its shell Bash." };
    const unheld = { ...closed, unheld: { policies: 2, first } };
    expect(state({ dispatches: 5, gates: 3 }, true, false, unheld)).toMatchObject({
      tone: "ask",
      sentence: `Policy guard: ${first.says} 1 more policy has such agents.`,
    });
  });
  it("is never called working while an agent has no enforced policy", () => {
    const free = { ...closed, ungoverned: { agents: 4, names: ["a", "b", "c"] } };
    expect(state({ dispatches: 5, gates: 3 }, true, false, free)).toMatchObject({
      tone: "ask",
      sentence: "4 agents have no enforced policy: a, b, c and 1 more. Their calls pass unless a halt denies them.",
    });
  });
  it("names its denominator and its range", () => {
    const sums = { dispatches: 5, gates: 5, gatesWithoutOpinion: 3, gatesWithoutRule: 1, gateDenied: 2 };
    expect(state(sums).sentence).toBe(
      "5 tool calls checked in the last hour: 2 denied, rules had nothing to say about 2, no rule ran for 1, no hook failed.",
    );
  });
});

const point = (at: number, more: Partial<OverviewPoint>): OverviewPoint => ({
  at: new Date(at),
  dispatches: 0,
  gates: 0,
  gatesWithoutOpinion: 0,
  gateDenied: 0,
  denied: 0,
  prompted: 0,
  hooksFailed: 0,
  compactions: 0,
  costNano: 0n,
  ...more,
});

describe("decisions over time", () => {
  it.each([
    { dispatches: 10, gates: 6, gatesWithoutOpinion: 2, gateDenied: 3 },
    { dispatches: 10, gates: 2, gatesWithoutOpinion: 0, gateDenied: 5 },
    { dispatches: 1 },
  ])("count each call once, and no event that needs none, in %j", (counts) => {
    const of = point(0, counts);
    const { denied, allowed } = decisionsOf(of);
    expect([denied, allowed].every((value) => value >= 0)).toBe(true);
    expect(denied + allowed + of.gatesWithoutOpinion).toBe(Math.max(of.gates, of.gateDenied));
  });
  it("leave what has not happened yet as a gap, and what did not happen as zero", () => {
    const series = {
      from: new Date(0),
      to: new Date(240_000),
      bucketMs: 60_000,
      points: [point(60_000, { dispatches: 3, gates: 2, prompted: 1 })],
    };
    const model = decisionModel(series, 130_000);
    expect(model.series.map((each) => each.name)).toEqual(["denied", "asked", "allowed"]);
    expect(model.buckets.map((bucket) => bucket.values)).toEqual([
      [0, 0, 0],
      [0, 1, 2],
      [0, 0, 0],
      [null, null, null],
    ]);
    const down = [{ from: new Date(120_000), to: new Date(180_000) }];
    expect(sparkOf(series, (each) => each.dispatches, 130_000)).toEqual([0, 3, 0]);
    expect(sparkOf(series, (each) => each.dispatches, 130_000, down)).toEqual([0, 3, null]);
  });
  it.each([
    [60_000, "minute"],
    [300_000, "5 minutes"],
    [3_600_000, "hour"],
    [21_600_000, "6 hours"],
    [86_400_000, "day"],
  ])("says that a bar of %d ms is one %s", (ms, words) => expect(barDurationText(ms)).toBe(words));
});

describe("the gateway's health", () => {
  const nowMs = Date.UTC(2026, 10, 27, 5, 52);
  const answer = { since: null, reasons: [], refused: 0, checks: {}, figuresBehindMs: 0 };
  const answering = { ...answer, state: "answering" } as const;
  const since = new Date(nowMs - 15_000).toISOString();
  const reasons = ["The database does not answer."];
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
    expect(said).toMatchObject({ tone: "error", word: "Refusing" });
    expect(said?.sentence).toMatch(
      /^Agents are being refused since .*\d\d:\d\d:45: the database does not answer\. 2 requests refused\.$/,
    );
  });
  it("keeps a stated refusal through requests that fail, until it is ten seconds old", () => {
    const heard = { status: blocking, heardMs: nowMs };
    expect(heardAfter(heard, "silent", nowMs + 9_000)).toBe(heard);
    const late = heardAfter(heard, "silent", nowMs + 10_001);
    expect(describeGateHealth(late, nowMs + 10_001)?.word).toBe("Not known");
    expect(heardAfter(heard, answering, nowMs + 1)).toEqual({ status: answering, heardMs: nowMs + 1 });
    const silent = heardAfter({ status: answering, heardMs: nowMs }, "silent", nowMs + 2_000);
    expect(describeGateHealth(silent, nowMs + 2_000)?.word).toBe("Checking");
  });
  it.each([
    ["asking", null, "Checking"],
    ["silent", nowMs - 2_000, "Checking"],
    ["silent", nowMs - 11_000, "Not known"],
    [{ ...answer, state: "stopping" } as const, nowMs, "Refusing"],
    [{ ...answer, state: "elsewhere" } as const, nowMs, "Not known"],
  ] as const)("is never called working while it is not known: %j, heard %d", (status, heardMs, word) => {
    expect(describeGateHealth({ status, heardMs }, nowMs)?.word).toBe(word);
  });
});
