import { expect, it } from "vitest";
import { checkText } from "../../text/check.ts";

const equipment = { builtins: [], models: true };
const findingsOf = (prompt: string) => {
  const hook = { type: "model", model: "openai/gpt-4o-mini", schema: "pre_tool_use_decision", prompt };
  const text = JSON.stringify({ hooks: { pre_tool_use: [{ matcher: "shell", hooks: [hook] }] } });
  return checkText(text, { equipment, tools: [], judges: [], clients: [] }).findings.filter(
    ({ rule }) => rule === "judge-arguments-unfenced",
  );
};

it.each([
  '{{ index .ToolInput "cmd" }}',
  "{{ .ToolInput.cmd }}",
  "{{ toJSON .ToolInput }}",
  "{{ .ToolInput.cmd | truncate 100 }}",
  "{{ toJSON . }}",
  "{{ range $key, $value := .ToolInput }}{{ $key }}: {{ $value }}{{ end }}",
  "{{ with .ToolInput }}{{ . }}{{ end }}",
  "{{ $all := .ToolInput }}{{ $all }}",
  "{{ fenced .ToolName }} {{ .ToolInput.cmd }}",
])("warns of %j", (prompt) => {
  const [finding, ...more] = findingsOf(prompt);
  expect(finding?.message).toContain("use fenced");
  expect(more).toEqual([]);
});

it.each([
  "{{ fenced .ToolInput }}",
  "{{ .ToolInput.cmd | fenced }}",
  "{{ fenced (truncate 100 .ToolInput.cmd) }}",
  "{{ if .ToolInput.cmd }}It has a command.{{ end }}",
  "{{ range $key, $value := .ToolInput }}{{ fenced $value }}{{ end }}",
  "{{ .ToolName }} in {{ .Cwd }}",
  // Fences by hand belong to the rule judge-fence-open.
  "<arguments>{{ toJSON .ToolInput }}</arguments>",
  "{{/* .ToolInput */}}",
])("has nothing to say of %j", (prompt) => {
  expect(findingsOf(prompt)).toEqual([]);
});
