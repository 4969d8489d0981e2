import { describe, expect, it } from "vitest";
import { type ApproverRules, approverRules, NO_APPROVER_RULES } from "./approver-rules-schema.ts";
import { graverRadius, needsMore, needsOf, reachedLists, riskClassOf } from "./risk-class.ts";
import { RISK_CLASSES } from "./risk-class-schema.ts";

const ADA = "0192aaaa-0000-7000-8000-000000000001";
const BO = "0192aaaa-0000-7000-8000-000000000002";
const rules = (more: Partial<ApproverRules>): ApproverRules => ({ ...NO_APPROVER_RULES, ...more });
const call = (toolName: string, risk = "", peopleNeeded = 1) => ({ toolName, risk, peopleNeeded });

describe("the risk class of a call", () => {
  const table = rules({
    toolRisks: [
      { tool: "read_.*", risk: "low" },
      { tool: "deploy|.*_prod", risk: "critical" },
    ],
  });
  it.each([
    ["is medium where nobody says anything", call("shell"), "medium"],
    ["is that of the blast radius", call("shell", "high"), "high"],
    ["is medium where the radius is unknown", call("shell", "unknown"), "medium"],
    ["is that of the table", call("read_file"), "low"],
    ["is the graver one of both", call("read_file", "high"), "high"],
    ["is the gravest of several rows", call("read_prod", "low"), "critical"],
    ["is of whole names", call("deployment"), "medium"],
    ["is not what a hook makes up", call("shell", "harmless"), "medium"],
  ] as const)("%s", (_says, one, risk) => {
    expect(riskClassOf(one, table)).toBe(risk);
  });
});

it.each([
  [["low", "high"], "high"],
  [["critical", "low"], "critical"],
  [["", "low"], "low"],
  [["harmless", "unknown"], "unknown"],
  [["high", "harmless"], "high"],
  [["", ""], ""],
])("of the blast radii %j the gravest counts", (radii, gravest) => {
  expect(radii.reduce(graverRadius, "")).toBe(gravest);
});

it.each([
  ["two people", rules({ twoPeopleFrom: "high" })],
  ["a second press", rules({ confirmFrom: "high" })],
  ["another list", rules({ lists: [{ name: "security", from: "high", people: [BO], forSeconds: 60 }] })],
])("a call that is graver than the one that was asked about wants more where its class takes %s", (_, given) => {
  const [mild, grave] = [needsOf(call("shell", "low"), given), needsOf(call("shell", "high"), given)];
  expect([needsMore(mild, grave), needsMore(grave, mild), needsMore(grave, grave)]).toEqual([true, false, false]);
});

describe("the needs of a call", () => {
  it.each(RISK_CLASSES)(
    "%s risk takes two people and a second press from the stated class on, and not before",
    (risk) => {
      const stated = rules({ twoPeopleFrom: "high", confirmFrom: "critical", toolRisks: [{ tool: "x", risk }] });
      const { peopleNeeded, needsConfirmation } = needsOf(call("x"), stated);
      expect({ peopleNeeded, needsConfirmation }).toEqual({
        peopleNeeded: risk === "high" || risk === "critical" ? 2 : 1,
        needsConfirmation: risk === "critical",
      });
    },
  );

  it("are never fewer than the policy's own", () => {
    expect(needsOf(call("x", "", 2), NO_APPROVER_RULES)).toMatchObject({ peopleNeeded: 2, route: null, routeMs: null });
  });

  it("are a route over the lists for its risk, one after the other", () => {
    const lists = [
      { name: "leads", from: "low", people: [ADA], forSeconds: 30 },
      { name: "security", from: "critical", people: [BO], forSeconds: 60 },
      { name: "everybody", from: "medium", people: [ADA, BO], forSeconds: 90 },
    ] as const;
    const given = approverRules.parse({ ...NO_APPROVER_RULES, lists });
    const { route, routeMs } = needsOf(call("shell", "high"), given);
    expect(route?.map(({ name, fromSeconds }) => [name, fromSeconds])).toEqual([
      ["leads", 0],
      ["everybody", 30],
    ]);
    expect(routeMs).toBe(120_000);
    const names = (seconds: number) => reachedLists(route ?? [], seconds).map(({ name }) => name);
    expect([names(0), names(29.9), names(30)]).toEqual([["leads"], ["leads"], ["leads", "everybody"]]);
  });
});

describe("rules are refused", () => {
  const list = { name: "leads", from: "low", people: [ADA], forSeconds: 30 };
  it.each([
    ["with a pattern that is none", { toolRisks: [{ tool: "(", risk: "low" }] }],
    ["with somebody twice in a list", { lists: [{ ...list, people: [ADA, ADA] }] }],
    ["with an empty list", { lists: [{ ...list, people: [] }] }],
    ["with a list that nobody could read in time", { lists: [{ ...list, forSeconds: 9 }] }],
    ["with a reminder after the lapse", { remindAfterSeconds: 3_601 }],
    ["with six lists", { lists: Array.from({ length: 6 }, () => list) }],
    ["with a name of several lines", { lists: [{ ...list, name: "a\nb" }] }],
    ["with a key that nobody knows", { more: true }],
  ])("%s", (_says, more) => {
    expect(approverRules.safeParse({ ...NO_APPROVER_RULES, ...more }).success).toBe(false);
  });
});
