import { describe, expect, test } from "vitest";
import { sentenceOf } from "@/components/audit/sentences";

const policy = { type: "policy", id: "p", name: "guard" };
const bound = (names?: object) => ({
  kind: "policy_assigned",
  target: policy,
  body: {
    ...{ kind: "policy_assigned", version: 2, by: "Ada", policy: "p", scope: "chosen" },
    ...{ groups: ["g"], agents: ["a1", "a2", "a3", "a4", "a5"] },
    ...(names && { names }),
  },
});

describe("a sentence", () => {
  test("names what its entry named, three at most", () => {
    const agents = Object.fromEntries(["a1", "a2", "a3", "a4"].map((id) => [`agent/${id}`, `agent ${id}`]));
    const objects = { "policy/p": "guard", "group/g": "prod", ...agents };
    expect(sentenceOf(bound({ objects }))).toBe(
      "applied guard to the group prod and the agents agent a1, agent a2, agent a3 and 2 more",
    );
    expect(sentenceOf(bound({ objects: { "agent/a2": "ci" } }))).toBe(
      "applied guard to 1 group and the agents ci and 4 more",
    );
  });

  test("names the tags that a policy is applied to, alone or beside groups", () => {
    const body = { ...bound().body, version: 3, tags: ["prod", "eu"], groups: ["g"], agents: [] };
    expect(sentenceOf({ ...bound(), body })).toBe("applied guard to the tags prod, eu and 1 group");
    expect(sentenceOf({ ...bound(), body: { ...body, groups: [] } })).toBe("applied guard to the tags prod, eu");
  });

  test("counts what an entry from before does not name, or one that was altered", () => {
    for (const names of [undefined, { objects: null }, { objects: { "agent/a1": 7 } }])
      expect(sentenceOf(bound(names))).toBe("applied guard to 1 group and 5 agents");
  });

  test("names an erased person as one", () => {
    const name = "an erased person";
    const body = { kind: "role_changed", version: 1, by: "Ada", person: "b", name, from: "viewer", to: "admin" };
    const target = { type: "person", id: "b", name };
    expect(sentenceOf({ kind: "role_changed", target, body })).toBe("made an erased person admin instead of viewer");
  });
});
