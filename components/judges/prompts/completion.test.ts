import { describe, expect, it } from "vitest";
import { listCompletionsAt } from "@/components/judges/prompts/completion";
import { draftText, judgedOf } from "@/components/judges/prompts/draft-text";

const keys = [
  { name: "command", type: "string" },
  { name: "dry-run", type: "bool" },
];
const offered = (before: string) => listCompletionsAt(before, "pre_tool_use", keys);
const labels = (before: string) => offered(before)?.offers.map(({ label }) => label) ?? null;

describe("completion in a template", () => {
  it("offers the event's fields with their types after a dot", () => {
    expect(labels("{{ .")).toEqual(expect.arrayContaining(["ToolName", "ToolInput", "AgentName"]));
    expect(labels("{{ .")).not.toContain("ToolResponse");
    const tool = offered("a\n{{ .ToolN")?.offers.find(({ label }) => label === "ToolName");
    expect(tool).toEqual({ label: "ToolName", detail: "string", info: "The tool that is called." });
    expect(offered("{{ .ToolN")?.from).toBe("{{ .".length);
  });
  it("offers the keys of a recorded call's arguments that a dot can name", () => {
    expect(labels("{{ toJSON .ToolInput.")).toEqual(["command"]);
    expect(labels("{{ $.ToolInput.comm")).toEqual(["command"]);
    expect(labels("{{ .ToolInput.command.")).toBeNull();
  });
  it("offers fields, functions and words where a value begins", () => {
    expect(labels("{{ ")).toEqual(expect.arrayContaining([".ToolName", "toJSON", "truncate", "if", "end"]));
    expect(listCompletionsAt("{{ .Usage.", "after_llm_call", [])?.offers.map(({ label }) => label)).toContain(
      "InputTokens",
    );
  });
  it("offers nothing in plain text, in a text literal and after an action", () => {
    for (const before of ["Tool: .", "{{ .ToolName }} .", '{{ printf "%s .', "{{ printf `a.", ""])
      expect(labels(before)).toBeNull();
    expect(labels('{{ printf "%s" .')).toContain("ToolName");
  });
});

it("a draft as one text reads back, whatever the template holds", () => {
  for (const template of ["", "\n", "one\ntwo\n", "\n\n{{ .ToolName }}"])
    for (const schema of ["", "pre_tool_use_decision"]) {
      const judged = { model: "openai/gpt-4o-mini", schema, template };
      expect(judgedOf(draftText(judged))).toEqual(judged);
    }
});
