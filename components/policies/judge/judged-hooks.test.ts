import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { added, judgedHooks, taken } from "@/components/policies/judge/judged-hooks";

const revision = {
  label: { name: "shell-risk", revision: 4 },
  prompt: "May this run?\n\n{{ toJSON .ToolInput }}\n",
  model: "local/tiny",
  schema: "pre_tool_use_decision",
};
const SOURCE = `# ours
hooks:
  pre_tool_use:
    - matcher: shell # only the shell
      hooks:
        - name: risk
          type: model
          judge: shell-risk@3
          model: local/old
          prompt: Old?
  stop:
    - {type: builtin, command: add_date}
`;

describe("a judge prompt taken into a policy", () => {
  it("changes the hook it is taken into and nothing else", () => {
    const [hook] = judgedHooks(SOURCE);
    expect(hook).toMatchObject({ title: "risk", event: "pre_tool_use", label: { name: "shell-risk", revision: 3 } });
    const edit = taken(SOURCE, hook?.path ?? [], revision);
    expect(edit.ok && edit.changes).toHaveLength(1);
    const text = edit.ok ? edit.text : "";
    expect(parse(text).hooks.pre_tool_use[0].hooks[0]).toEqual({
      name: "risk",
      type: "model",
      judge: "shell-risk@4",
      model: "local/tiny",
      schema: "pre_tool_use_decision",
      prompt: revision.prompt,
    });
    expect(text).toContain("# only the shell");
    expect(text).toContain("{type: builtin, command: add_date}");
    expect(judgedHooks(text)[0]?.label).toEqual({ name: "shell-risk", revision: 4 });
  });
  it("makes a hook of its own where there is none", () => {
    for (const source of [SOURCE, "hooks:\n", "", "stop:\n  - {type: builtin, command: add_date}\n"]) {
      const edit = added(source, "pre_tool_use", "shell", revision);
      if (!edit.ok) throw new Error(edit.why);
      expect(judgedHooks(edit.text).at(-1)).toMatchObject({ title: "shell-risk", label: { revision: 4 } });
    }
  });
  it("finds nothing in a text that cannot be read", () => {
    expect(judgedHooks("hooks: [")).toEqual([]);
    expect(judgedHooks("hooks:\n  stop: nothing\n")).toEqual([]);
  });
});
