import { describe, expect, it } from "vitest";
import { applyingWords, otherWords, throughWords } from "@/components/agents/policy-application-reason";

const policy = {
  ...{ id: "p", name: "p", revision: 2, liveRevision: 2, through: [], onClient: [], observeUntil: null, canary: null },
  monitored: [],
  cannotAllow: false,
  state: "enforced" as const,
};
const canary = { revision: 3, share: 20, isInside: false };

describe("why a policy applies to an agent, or does not", () => {
  it("is in its label when there is no more to say", () => {
    expect(applyingWords(policy, 0)).toMatchObject({ tone: "allow", label: "revision 2, enforced", why: "" });
    expect(applyingWords({ ...policy, monitored: ["a", "b"] }, 0).why).toBe("Monitored only: a, b.");
  });

  it("says that an observed one answers nobody, and until when", () => {
    const observeUntil = new Date("2026-11-22T12:00:00Z");
    const words = applyingWords({ ...policy, state: "observed", observeUntil }, null);
    expect(words).toMatchObject({ tone: "observe", label: "revision 2, observed only" });
    expect(words.why).toContain("until 2026-11-22T12:00:00.000Z. Then the policy is enforced automatically");
  });

  it("says on which side of a canary the agent is, and what that means", () => {
    expect(applyingWords({ ...policy, canary }, 0).why).toBe(
      "Canary: revision 3 binds 20 % of the agents first, without this agent. This agent stays on revision 2.",
    );
    const inside = applyingWords({ ...policy, revision: 3, canary: { ...canary, isInside: true } }, 0);
    expect([inside.label, inside.why]).toEqual([
      "revision 3, enforced",
      "Canary: revision 3 binds this agent before other agents.",
    ]);
    const outside = { ...policy, revision: 0, liveRevision: 0, state: "outside_canary" as const, canary };
    expect(applyingWords(outside, 0)).toMatchObject({ tone: "unknown", label: "not in force" });
  });

  it("names every way it came, and why others did not", () => {
    expect(throughWords([{ scope: "group", group: "g", tag: null }])).toBe("through group g");
    expect(throughWords([{ scope: "tag", group: null, tag: "prod" }])).toBe("through tag prod");
    const both = [
      { scope: "workspace" as const, group: null, tag: null },
      { scope: "agent" as const, group: null, tag: null },
    ];
    expect(throughWords(both)).toBe("through the workspace, also this agent itself");
    const other = { id: "o", name: "o", isApplied: true, groups: [], people: [], tags: [] };
    expect(otherWords(other)).toBe("assigned to other agents.");
    expect(otherWords({ ...other, groups: ["g"] })).toContain("group g, which does not include this agent");
    expect(otherWords({ ...other, tags: ["prod"] })).toContain("tag prod, which does not include this agent");
    expect(otherWords({ ...other, isApplied: false })).toBe("assigned to no agent.");
  });
});
