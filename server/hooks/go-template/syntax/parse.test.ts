import { describe, expect, it } from "vitest";
import { bytesOf, textOf } from "./bytes.ts";
import { parseTemplate, TemplateSyntaxError, templateProblem } from "./parse.ts";

describe("what is wrong is said with its place", () => {
  it.each([
    ["Tool: {{ .ToolName", "line 1, column 19: unclosed action"],
    ["é {{ upper . }}", 'line 1, column 6: function "upper" not defined'],
    ["a\n  {{ $x }}", 'line 2, column 6: undefined variable "$x"'],
    ["{{ if . }}\n", "line 2, column 1: unexpected EOF"],
    ["{{ 'ab' }}", "line 1, column 4: malformed character constant: 'ab'"],
    ["{{ if . }}a{{ else with . }}b{{ end }}", "line 1, column 20: unexpected <with> in input"],
    ["{{ range . }}a{{ else if . }}b{{ end }}", "line 1, column 23: unexpected <if> in input"],
    ["{{ else range }}", "line 1, column 9: unexpected <range> in else"],
    ["{{ define `a` }}{{ break }}{{ end }}", "line 1, column 26: {{break}} outside {{range}}"],
    ["{{ (1).x }}", undefined],
    ["{{ 1.x }}", 'line 1, column 4: bad number syntax: "1.x"'],
    ['{{ "a".x }}', "line 1, column 9: unexpected . after a constant or a dot"],
    ["{{ $x=1 }}", "line 1, column 4: bad character U+003D '='"],
    ["{{ 1 | 2 }}", "line 1, column 10: non executable command in pipeline stage 2"],
    ["{{ block `b` . }}\n{{ else }}{{ end }}", "line 1, column 16: unexpected {{else}} in block clause"],
    ["{{ 1__0 }}", 'line 1, column 4: illegal number syntax: "1__0"'],
  ])("%s", (template, problem) => {
    expect(templateProblem(template)).toBe(problem);
  });
});

it.each([
  "{{ if . }}{{ else if . }}{{ else }}{{ end }}",
  "{{ with . }}{{ else with . }}{{ end }}",
  "{{$x:=1}}{{$x = 2}}",
  "{{ if . }}{{ $y := 1 }}{{ else }}{{ $y }}{{ end }}",
  "{{ range $i, $e := . }}{{ $i }}{{ continue }}{{ end }}",
  "{{- /* c */ -}}{{/**/}}",
  "{{ .a.b | print | printf `%s` }}{{ . | }}",
  "{{ print.Foo }}",
])("%s is a template", (template) => {
  expect(templateProblem(template)).toBeUndefined();
});

it("nesting has an end, with an error of its own", () => {
  const deep = (levels: number) => `{{ ${"(".repeat(levels)}1${")".repeat(levels)} }}`;
  expect(templateProblem(deep(300))).toBeUndefined();
  expect(templateProblem(deep(100_000))).toContain("nested more than");
  expect(templateProblem("{{ if 1 }}".repeat(100_000))).toContain("nested more than");
  expect(() => parseTemplate(deep(100_000))).toThrow(TemplateSyntaxError);
});

it("text and bytes are each other, except what is no character", () => {
  for (const text of ["", "abc", "é日本😀\0", "\uFFFD"]) expect(textOf(bytesOf(text))).toBe(text);
  expect(textOf(bytesOf("\ud800a"))).toBe("\uFFFDa");
  expect(textOf("\xf0\x9f\x98a\xc0\x80\xed\xa0\x80")).toBe("\uFFFD\uFFFD\uFFFDa\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD");
});
