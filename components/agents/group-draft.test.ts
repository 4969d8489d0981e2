import { describe, expect, it } from "vitest";
import { draftOf, draftProblem, matchSentence, memberChange, membersOf } from "@/components/agents/group-draft";

const group = { id: "g", name: "g", namePattern: null, agentIds: ["1", "2"], policies: [] };
const byPattern = { ...group, namePattern: "prod-*" };
const agents = [
  { id: "1", name: "prod-1" },
  { id: "2", name: "prod-2" },
  { id: "3", name: "test-1" },
];

describe("a group's agents", () => {
  it("are sent when they differ, and a pattern without them", () => {
    expect(memberChange(group, draftOf(group))).toBeNull();
    expect(memberChange(byPattern, draftOf(byPattern))).toBeNull();
    expect(memberChange(null, { ...draftOf(null), members: new Set(["1"]) })).toEqual({ agentIds: ["1"] });
    expect(memberChange(group, { ...draftOf(group), kind: "pattern", pattern: " prod-? " })).toEqual({
      namePattern: "prod-?",
    });
  });

  it("stay as a list when the pattern is cleared, and may be changed with it", () => {
    const listed = { ...draftOf(byPattern), kind: "list" } as const;
    expect(memberChange(byPattern, listed)).toEqual({ namePattern: null });
    expect(memberChange(byPattern, { ...listed, members: new Set(["3"]) })).toEqual({
      agentIds: ["3"],
      namePattern: null,
    });
  });

  it("are shown as they will be", () => {
    expect(membersOf(draftOf(group), agents)?.map(({ name }) => name)).toEqual(["prod-1", "prod-2"]);
    const draft = { ...draftOf(group), kind: "pattern", pattern: "*-1" } as const;
    expect(membersOf(draft, agents)?.map(({ name }) => name)).toEqual(["prod-1", "test-1"]);
    expect([draftProblem(draft), membersOf({ ...draft, pattern: " " }, agents)]).toEqual([null, null]);
    expect(draftProblem({ ...draft, pattern: " " })).toBe("Enter a name pattern, such as prod-*.");
  });
});

it("the preview counts the agents that match and spells out the first names", () => {
  expect(matchSentence([], 50)).toBe("Matches 0 of 50 agents.");
  expect(matchSentence(["a"], 1)).toBe("Matches 1 of 1 agent: a.");
  expect(matchSentence(["a", "b", "c", "d", "e"], 50)).toBe("Matches 5 of 50 agents: a, b, c, d, e.");
  expect(matchSentence(["a", "b", "c", "d", "e", "f", "g"], 1_200)).toBe(
    "Matches 7 of 1,200 agents: a, b, c, d, e and 2 more.",
  );
});
