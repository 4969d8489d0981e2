import { parseTemplate, render, textOf } from "@quarterdeck/go-template";
import { describe, expect, it } from "vitest";
import { templateData } from "../../template-data.ts";

const input = {
  hook_event_name: "pre_tool_use",
  tool_name: "shell",
  iteration: 3,
  input_tokens: 1_500,
  tool_input: { cmd: "ls", n: 1.5, list: ["a", 1, null], nested: { k: "v" } },
  steering_messages: ["x", "y", "z"],
  from_agent_models: [{ provider: "p", model: "m" }],
  cost: 0.25,
  usage: { input_tokens: 1, output_tokens: 2 },
};
const bytes = (template: string, profile: "2026-07" | "2026-08" = "2026-07") =>
  render(parseTemplate(template), templateData(input, profile));
const text = (template: string) => textOf(bytes(template));

describe("Go's semantics beyond the cases", () => {
  it.each([
    // Number literals.
    ["{{ 0x1p4 }} {{ 0x_1F }} {{ 1_0.5 }} {{ 0b1_1 }} {{ 0 }} {{ -0 }}", "16 31 10.5 3 0 0"],
    ["{{ 1+2i }} {{ 1.5-2i }}", "(1+2i) (1.5-2i)"],
    ["{{ 0x1.8p1 }} {{ 0X1P-2 }}", "3 0.25"],
    // Float formatting.
    ['{{ printf "%.2f %.0f %.3e %g" 2.675 -0.5 12345.678 1e-5 }}', "2.67 -0 1.235e+04 1e-05"],
    [
      '{{ printf "%x %X %.2x %b" 1.5 -0.1 3.14159 1.0 }}',
      "0x1.8p+00 -0X1.999999999999AP-04 0x1.92p+01 4503599627370496p-52",
    ],
    ['{{ printf "%#g|%#.3g|%#.0f|%+.1e" 1.0 2.0 3.0 4.0 }}', "1.00000|2.00|3.|+4.0e+00"],
    ['{{ printf "%06.1f|%-8.2f|%+08.2f|% .1f" -1.5 2.5 3.5 4.5 }}', "-001.5|2.50    |+0003.50| 4.5"],
    // Integers.
    ['{{ printf "%+d %x %X %o %O %b %#x %#o %#b" 5 255 255 8 8 5 255 8 5 }}', "+5 ff FF 10 0o10 101 0xff 010 0b101"],
    [
      '{{ printf "%08.3d|%-5d|%x|%U|%#U|%c|%q" -7 3 -255 -1 65 97 10 }}',
      "    -007|3    |-ff|U+FFFFFFFFFFFFFFFF|U+0041 'A'|a|'\\n'",
    ],
    ['{{ printf "%.0d|%5.0d|" 0 0 }}', "|     |"],
    // Strings.
    [
      '{{ printf "%5.1s|%-5s|%05s|%x|% X|%#q|%+q" "héllo" "é" "ab" "é" "ab" "a`b" "é" }}',
      '    h|é    |000ab|c3a9|61 62|"a`b"|"\\u00e9"',
    ],
    // Wrong verbs, and where they come from.
    ['{{ printf "%d %s %t" .ToolName .Iteration .Cost }}', "%!d(string=shell) %!s(int=3) %!t(*float64=0xc000010000)"],
    ['{{ printf "%!" 1 }} {{ printf "%w" "x" }} {{ printf "%.q" "abc" }}', '%!!(int=1) %!w(string=x) ""'],
    ['{{ printf "%d" .SteeringMessages }}', "[%!d(string=x) %!d(string=y) %!d(string=z)]"],
    ['{{ printf "%[1]*d|%[5]d|%[x]d|%[2]s" 3 4 }}', "  4|%!d(BADINDEX)|%!d(BADINDEX)|%!s(int=4)"],
    ['{{ printf "%*d|%.*f" "w" 1 "p" 2.0 }}', "%!(BADWIDTH)1|%!(BADPREC)2.000000"],
    [
      '{{ printf "%#v %#v %#v" .ToolInput.list .SteeringMessages nil }}',
      '[]interface {}{"a", 1, interface {}(nil)} []string{"x", "y", "z"} <nil>',
    ],
    ['{{ printf "%T %T %T %T" .ToJSON .Cost .Usage (index .ToJSON 0) }}', "[]uint8 *float64 *chat.Usage uint8"],
    ["{{ slice .ToJSON 0 3 }} {{ len (slice .ToJSON 0 3) }}", "[123 34 115] 3"],
    // Flow.
    ["{{ with .Prompt }}a{{ else with .ToolName }}{{ . }}{{ else }}c{{ end }}", "shell"],
    [
      "{{ range 3 }}{{ . }}{{ end }} {{ range $i := .Iteration }}{{ $i }}{{ else }}none{{ end }} {{ range 0 }}{{ else }}none{{ end }}",
      "012 012 none",
    ],
    ["{{ $a := 1 }}{{ $b := 2 }}{{ range $a, $b = .SteeringMessages }}{{ end }}{{ $a }}{{ $b }}", "2z"],
    [
      "{{ range .SteeringMessages }}{{ range 5 }}{{ if eq . 2 }}{{ break }}{{ end }}{{ . }}{{ end }};{{ end }}",
      "01;01;01;",
    ],
    // A break in the else of a range ends that range alone; a continue there is the outer one's.
    [
      "{{ range 4 }}{{ . }}{{ range $.SteeringMessages }}{{ break }}{{ else }}x{{ end }}{{ end }} {{ range 4 }}{{ . }}{{ range 0 }}{{ else }}{{ break }}{{ end }}{{ end }}",
      "0123 0123",
    ],
    ["{{ range 4 }}{{ . }}{{ range 0 }}{{ else }}{{ break }}{{ end }},{{ end }}", "0,1,2,3,"],
    ["{{ range 4 }}{{ . }}{{ range 0 }}{{ else }}{{ continue }}{{ end }},{{ end }}", "0123"],
    ["{{ (index .FromAgentModels 0).Model }} {{ (.ToolInput.nested).k }} {{ $.ToolInput.nested.k }}", "m v v"],
    [
      "{{ eq (index .FromAgentModels 0) (index .FromAgentModels 0) }} {{ eq .Cost .Cost }} {{ eq .ToolInput nil }}",
      "true true false",
    ],
    ['{{ define "hook-prompt" }}instead{{ end }}', "instead"],
    [
      "{{ js `<&=>` }} {{ html `\u0000` }} {{ urlquery `é ~` }} {{ js 1 nil }}",
      "\\u003C\\u0026\\u003D\\u003E \uFFFD %C3%A9+~ 1\\u003Cno value\\u003E",
    ],
  ])("%s", (template, expected) => {
    expect(text(template)).toBe(expected);
  });

  it("newer fields exist in the newer profile only", () => {
    expect(bytes("[{{ .SafetyLabel }}{{ .ToolReadOnly }}]", "2026-08")).toBe("[false]");
    expect(() => bytes("{{ .SafetyLabel }}")).toThrow("can't evaluate field SafetyLabel in type *hooks.Input");
  });

  it("pieces of a character are whole again when they meet, and one U+FFFD for each byte when they do not", () => {
    expect(text('{{ slice "é" 0 1 }}{{ slice "é" 1 }}')).toBe("é");
    expect(text('{{ slice "😀" 0 3 }}|')).toBe("\uFFFD\uFFFD\uFFFD|");
  });

  it("an error says where", () => {
    expect(() => bytes("a\nb {{ .Nope }}")).toThrow("line 2, column 6: can't evaluate field Nope");
  });
});

describe("messages", () => {
  const ofMessages = (template: string, message: { role: string; [field: string]: unknown }) => {
    const data = templateData({ hook_event_name: "before_llm_call", messages: [message] }, "2026-08");
    return textOf(render(parseTemplate(template), data));
  };

  it("name the tools that the model wants to call, with their arguments", () => {
    const call = { id: "k", type: "function", function: { name: "fetch", arguments: '{"url":"x"}' } };
    const template =
      "{{ range .Messages }}{{ range .ToolCalls }}{{ .ID }} {{ .Function.Name }} {{ .Function.Arguments }}{{ end }}{{ end }}";
    expect(ofMessages(template, { role: "assistant", tool_calls: [call] })).toBe('k fetch {"url":"x"}');
  });

  it("are JSON with the fields that are set, in Go's order and without the others", () => {
    const message = {
      role: "assistant",
      content: "c",
      thought_signature: "AAE=",
      tool_calls: [{ type: "function", function: { name: "f" } }],
      tool_call_id: "k",
      is_error: true,
      cost: 0.5,
      finish_reason: "stop",
    };
    const json = "{{ toJSON .Messages }}";
    expect(ofMessages(json, { ...message, model: "", made_up: 1 })).toBe(JSON.stringify([message]));
    expect(ofMessages(json, { role: "user", content: "c", cost: 0 })).toBe('[{"role":"user","content":"c"}]');
  });

  it("have pointers that are nil, and parts", () => {
    const document = { name: "n", mime_type: "m", source: { inline_text: "t" } };
    const template =
      "{{ range .Messages }}{{ if .Usage }}u{{ end }}{{ range .MultiContent }}{{ if .File }}f{{ end }}{{ .Document.Source.InlineText }}{{ end }}{{ end }}";
    expect(ofMessages(template, { role: "user", multi_content: [{ type: "document", document }] })).toBe("t");
  });
});

describe("a template that would run away", () => {
  it.each([
    ["recursion", '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}', "depth"],
    ["a doubling text", `{{ $x := "abcdefgh" }}${"{{ $x = print $x $x }}".repeat(40)}{{ $x }}`, "bytes"],
    ["wide formats", `{{ printf "${"%999999d".repeat(40)}" ${"1 ".repeat(40)} }}`, "bytes"],
    ["precise formats", `{{ printf "${"%.999999f".repeat(40)}" ${"1.5 ".repeat(40)} }}`, "bytes"],
    ["ranges within ranges", "{{ range 1000000 }}{{ range 1000000 }}{{ end }}{{ end }}", "steps"],
    ["an endless range", "{{ range 9223372036854775807 }}{{ end }}", "steps"],
    [
      "comparing large texts",
      '{{ $x := printf "%1000000d" 1 }}{{ range 1000000 }}{{ if eq $x $x }}{{ end }}{{ end }}',
      "bytes",
    ],
  ])("%s fails", (_what, template, limit) => {
    expect(() => bytes(template)).toThrow(limit);
  });
});
