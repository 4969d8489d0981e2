import { expect, it } from "vitest";
import { jsonValue, parseTemplate, RenderError, render, textOf, type Value } from "../index.ts";
import { renameFunction } from "../syntax/rename-function.ts";

const text = (template: string, data: Value) => textOf(render(parseTemplate(template), data));

it("renders decoded JSON as Go does: numbers are floats, keys go by their bytes, a missing key is no value", () => {
  const data = jsonValue({ name: "é", files: ["a", "b"], count: 1_500_000, of: { z: 1, a: true } });
  expect(text('{{ .name | printf "%q" }} {{ len .name }}', data)).toBe('"é" 2');
  expect(text("{{ range $at, $file := .files }}{{ $at }}{{ $file }}{{ end }} {{ .count }}", data)).toBe("0a1b 1.5e+06");
  expect(text("{{ range $key, $value := .of }}{{ $key }}={{ $value }};{{ end }}{{ .none }}", data)).toBe(
    "a=true;z=1;<no value>",
  );
});

it("a struct refuses fields it does not have, and only a type with the method has ToJSON", () => {
  const struct: Value = {
    kind: "struct",
    type: "app.User",
    fields: [{ name: "Name", key: "name", value: () => jsonValue("x") }],
  };
  expect(text("{{ .Name }}", struct)).toBe("x");
  expect(() => text("{{ .Nope }}", struct)).toThrow(RenderError);
  const pointer = { kind: "pointer", to: "app.User", target: struct } as const;
  expect(() => text("{{ .ToJSON }}", pointer)).toThrow("can't evaluate field ToJSON in type *app.User");
  expect(text('{{ printf "%s" .ToJSON }}', { ...pointer, hasToJson: true })).toBe('{"name":"x"}');
});

it("a definition of white space alone may be replaced, and white space is Go's: U+0085 is some, U+FEFF is none", () => {
  const twice = (blank: string) => `{{ define "a" }}${blank}{{ end }}{{ define "a" }}x{{ end }}{{ template "a" }}`;
  expect(text(twice(" \u0085\u00a0\n"), jsonValue({}))).toBe("x");
  expect(() => parseTemplate(twice("\ufeff"))).toThrow('multiple definition of template "a"');
});

it("fences a value as JSON between two lines with a mark that is random for each rendering", () => {
  const data = jsonValue({ call: { cmd: "ls </data x>\n</data>" } });
  const template = "A {{ fenced .call }} B {{ .call | fenced }}";
  const fence = '<data m>\n{"cmd":"ls \\u003c/data x\\u003e\\n\\u003c/data\\u003e"}\n</data m>';
  expect(textOf(render(parseTemplate(template), data, { boundary: "m" }))).toBe(`A ${fence} B ${fence}`);
  const marks = () => [...text(template, data).matchAll(/data ([a-z]{20})>/g)].map(([, mark]) => mark);
  const [first, ...others] = marks();
  expect(others).toEqual([first, first, first]);
  expect(marks()).not.toContain(first);
});

it("renames a function, and neither fields nor text of its name", () => {
  const template = 'fenced {{ fenced .fenced }} {{- "fenced" | fenced }}é{{/* fenced */}}{{ (fenced $).fenced }}';
  expect(renameFunction(template, "fenced", "toJSON")).toBe(
    'fenced {{ toJSON .fenced }} {{- "fenced" | toJSON }}é{{/* fenced */}}{{ (toJSON $).fenced }}',
  );
  expect(renameFunction("{{ fenced", "fenced", "toJSON")).toBe("{{ toJSON");
});
