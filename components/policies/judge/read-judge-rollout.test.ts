import { describe, expect, it } from "vitest";
import { KEEP, rolloutOfChoice, withRevision } from "@/components/policies/judge/read-judge-rollout";

const revision = {
  ...{ label: { name: "risk", revision: 3 }, prompt: "New?\n", model: "local/tiny" },
  schema: "pre_tool_use_decision",
};
const hook = (name: string, judge: string) =>
  `        - {name: ${name}, type: model, judge: ${judge}, model: local/old, prompt: "Old?"}\n`;
const SOURCE = `hooks:
  pre_tool_use:
    - matcher: shell # ours
      hooks:
${hook("first", "risk@1")}${hook("other", "other@1")}    - matcher: edit
      hooks:
${hook("second", "risk@2")}${hook("newer", "risk@4")}`;

describe("a new revision in the policies that use a judge", () => {
  it("is taken by each hook of the prompt with an older revision, and by no other", () => {
    const edit = withRevision(SOURCE, revision);
    const text = edit.ok ? edit.text : "";
    expect(text.match(/judge: \S+?(?=[,}\n])/g)).toEqual([
      "judge: risk@3",
      "judge: other@1",
      "judge: risk@3",
      "judge: risk@4",
    ]);
    expect(text.match(/New\?/g)).toHaveLength(2);
    expect(text).toContain("# ours");
    expect(withRevision("hooks: {}\n", revision)).toMatchObject({ ok: true, changes: [] });
  });

  it("is kept, or rolled out with the default limits of a canary", () => {
    expect(rolloutOfChoice(KEEP)).toBeNull();
    expect(rolloutOfChoice({ ...KEEP, kind: "everyone" })).toEqual({ kind: "everyone" });
    expect(rolloutOfChoice({ ...KEEP, kind: "canary" })).toMatchObject({ kind: "canary", share: 10, groupId: null });
    expect(rolloutOfChoice({ ...KEEP, kind: "canary", share: "ten" })).toContain("whole number");
  });
});
