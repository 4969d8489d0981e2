import { expect, it } from "vitest";
import { jsonValue, parseTemplate, RenderError, render, textOf, type Value } from "../index.ts";

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
