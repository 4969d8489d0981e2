import { describe, expect, it } from "vitest";
import {
  assignWords,
  type Binding,
  eventChanges,
  eventChangeWords,
  listed,
  publishWords,
  reach,
  whom,
} from "@/components/policies/labels";

const all: Binding = { scope: "workspace", tags: [], groups: [], agents: [], bound: 4, enrolled: 4 };
const some: Binding = { scope: "chosen", tags: [], groups: [], agents: ["ci", "build"], bound: 2, enrolled: 4 };
const mixed: Binding = { scope: "chosen", tags: ["prod"], groups: ["nightly"], agents: ["ci"], bound: 3, enrolled: 4 };
const none: Binding = { scope: "nobody", tags: [], groups: [], agents: [], bound: 0, enrolled: 4 };

describe("whom a policy binds", () => {
  it.each([
    [all, "the whole workspace (4 agents)", 4],
    [some, "2 agents: ci and build", 2],
    [mixed, "3 agents: tag prod, group nightly and ci", 3],
    [none, "nobody", 0],
  ])("%j", (binding, words, count) => {
    expect(whom(binding)).toBe(words);
    expect(reach(binding)).toBe(count);
  });
  it("names a few and counts the rest", () => {
    expect(listed(["a"])).toBe("a");
    expect(listed(["a", "b", "c"])).toBe("a, b and c");
    expect(listed(["a", "b", "c", "d", "e"])).toBe("a, b and 3 more");
  });
});

describe("what publishing does", () => {
  it("counts the agents it binds", () => {
    expect(publishWords(3, all).join(" ")).toBe(
      "Revision 3 applies to the whole workspace: 4 agents from the next event, and every agent enrolled later. Replaces revision 2.",
    );
    expect(publishWords(3, some)[0]).toContain("applies to 2 agents");
  });
  it("never calls a first publication harmless: unassigned, it binds everyone", () => {
    expect(publishWords(1, none)[0]).toContain("applies to the whole workspace");
    expect(publishWords(2, none)[0]).toContain("applies to no agent");
  });
  it("says which events gain and lose hooks", () => {
    const before = [
      { event: "stop", hooks: 1, agentHooks: 0 },
      { event: "pre_tool_use", hooks: 2, agentHooks: 0 },
    ];
    const after = [
      { event: "pre_tool_use", hooks: 3, agentHooks: 0 },
      { event: "turn_end", hooks: 1, agentHooks: 0 },
    ];
    expect(eventChanges(before, after).map(eventChangeWords)).toEqual([
      "stop: no hooks, 1 before",
      "pre_tool_use: 3 hooks, 2 before",
      "turn_end: 1 hook, none before",
    ]);
    expect(eventChanges(before, before)).toEqual([]);
  });
});

describe("what another assignment does", () => {
  const names = ["ci", "build", "dev", "ops"];
  const chosen = ["ci", "build"];
  it("names the agents that are freed", () => {
    expect(assignWords(all, some, names, chosen)).toEqual([
      "This policy will no longer apply to 2 agents: dev and ops.",
      "The policy does not apply to agents enrolled later.",
    ]);
  });
  it("names the agents that are bound", () => {
    expect(assignWords(none, some, [], chosen)).toEqual(["The policy will apply to 2 agents: ci and build."]);
  });
  it("says what a group means for those who join it, and that the same agents stay bound", () => {
    expect(assignWords(some, mixed, chosen, ["ci", "dev", "ops"])).toEqual([
      "This policy will no longer apply to 1 agent: build.",
      "The policy will apply to 2 agents: dev and ops.",
      "The policy also applies to agents that join tag prod and group nightly later.",
    ]);
    expect(assignWords(mixed, { ...mixed, agents: [] }, chosen, chosen)).toEqual([
      "The policy applies to the same agents as before, through a different assignment.",
    ]);
  });
  it("is nothing when nothing changes", () => {
    expect(assignWords(some, some, chosen, chosen)).toEqual([]);
  });
});
