import { describe, expect, it } from "vitest";
import { parseHooks } from "./config.ts";
import { judgeFingerprint, judgeLabel, parseJudgeLabel } from "./judge-prompt.ts";
import { nativeHooks } from "./native-hooks.ts";

const judged = { prompt: "May {{ .ToolName }} run?", model: "openai/gpt-4o-mini", schema: "pre_tool_use_decision" };
const hook = (more: object) => ({ type: "model", ...judged, ...more });

describe("a judge's label", () => {
  it("reads back as it was written, and nothing else is one", () => {
    expect(parseJudgeLabel(judgeLabel({ name: "shell-risk", revision: 12 }))).toEqual({
      name: "shell-risk",
      revision: 12,
    });
    for (const text of [
      "",
      "shell-risk",
      "shell-risk@",
      "shell-risk@0",
      "shell-risk@1.5",
      "Shell@1",
      "a b@1",
      "x@1@2",
      "x@12345678",
    ])
      expect(parseJudgeLabel(text)).toBeNull();
  });
  it("stands on model hooks alone, in its own form", () => {
    const complaints = (one: object) => {
      const parsed = parseHooks({ stop: [one] }, "2026-08");
      return parsed.ok ? [] : parsed.problems.map(({ message }) => message);
    };
    expect(complaints(hook({ judge: "shell-risk@3" }))).toEqual([]);
    expect(complaints(hook({ judge: "the third" })).join()).toContain("shell-risk@3");
    expect(complaints({ type: "builtin", command: "add_date", judge: "shell-risk@3" }).join()).toContain("model hooks");
  });
  it("does not leave the house", () => {
    expect(nativeHooks({ stop: [hook({ judge: "shell-risk@3" })] })).toEqual({ stop: [hook({})] });
  });
});

it("a fingerprint tells every change of prompt, model and schema apart, and equal ones not", () => {
  const variants = [
    judged,
    { ...judged, prompt: `${judged.prompt} ` },
    { ...judged, prompt: `${judged.prompt}\n` },
    { ...judged, model: "openai/gpt-4o" },
    { ...judged, schema: "" },
    { prompt: judged.model, model: judged.prompt, schema: judged.schema },
  ];
  const prints = variants.map(judgeFingerprint);
  expect(new Set(prints).size).toBe(variants.length);
  expect(judgeFingerprint({ ...judged })).toBe(prints[0]);
});
