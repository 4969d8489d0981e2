import { expect, it } from "vitest";
import { checkText } from "../../text/check.ts";

const equipment = { builtins: [], models: true };
const findingsOf = (prompt: string) => {
  const hook = { type: "model", model: "openai/gpt-4o-mini", schema: "pre_tool_use_decision", prompt };
  const text = JSON.stringify({ hooks: { pre_tool_use: [{ matcher: "shell", hooks: [hook] }] } });
  return checkText(text, { equipment, tools: [], judges: [], clients: [] }).findings.filter(
    ({ rule }) => rule === "judge-fence-open",
  );
};

it.each([
  '<arguments>{{ index .ToolInput "cmd" }}</arguments>',
  "<call>\n{{ .ToolName }}\n</call>",
  '<a kind="x">{{- .Prompt -}}</a>',
  "<a><b>fixed</b>{{ .Prompt }}</a>",
  "<a>{{ toJSON .ToolInput }}</a><b>{{ .Prompt }}</b>",
  "```\n{{ .LastUserMessage }}\n```",
  '"""{{ .Prompt }}"""',
  "<args>{{ range $k, $v := .ToolInput }}{{ $v }}{{ end }}</args>",
  '<a>{{ printf "%s" .Prompt }}</a>',
  "<a>{{ if .Prompt }}{{ .Prompt }}{{ end }}</a>",
])("warns of %j", (prompt) => {
  const [finding, ...more] = findingsOf(prompt);
  expect(finding?.message).toContain("use fenced");
  expect(more).toEqual([]);
});

it.each([
  "<arguments>{{ toJSON .ToolInput }}</arguments>",
  "<arguments>{{ fenced .ToolInput }}</arguments>",
  '<arguments>{{ index .ToolInput "cmd" | toJSON }}</arguments>',
  "<rules>Deny rm.</rules> The call: {{ .ToolName }}",
  "```json\n{{ toJSON . }}\n```",
  "Is 3 < 4? {{ .ToolName }} > x",
  "<a>{{/* .Prompt */}}{{ if .Prompt }}yes{{ end }}</a>",
  "```\ncode\n``` {{ .Prompt }} ```\ncode\n```",
  '<a>{{ "fixed" }}</a>',
])("has nothing to say of %j", (prompt) => {
  expect(findingsOf(prompt)).toEqual([]);
});
