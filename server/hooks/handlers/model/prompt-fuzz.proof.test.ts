import { parseTemplate, RenderError, render, TemplateSyntaxError, templateProblem } from "@quarterdeck/go-template";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repetitions } from "../../../../e2e/fixtures/long-run.ts";
import { templateData } from "../../template-data.ts";
import { renderPrompt } from "./prompt.ts";

// biome-ignore format: a list of words reads better in lines
const PIECES = [
  "{{", "}}", "{{-", "-}}", " ", "\n", "(", ")", "|", ":=", "=", ",", "$", "$x", ".", ".ToolInput", ".a.b", ".Cost", ".Usage",
  ".SteeringMessages", "if", "else", "end", "range", "with", "define", "template", "block", "break", "continue", "nil", "true",
  "print", "printf", "index", "slice", "len", "eq", "lt", "and", "or", "not", "html", "js", "urlquery", "toJSON", "fenced", "truncate",
  "call", '"%*d %[2]s %#v"', '"%w%T%q"', "`raw`", "'a'", "1", "-2", "1.5", "0x1p-2", "9223372036854775807", "1i", "/*", "*/", "é", '"\\xff"',
] as const;

const words = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((list) => list.join(" "));
const actions = fc
  .array(
    fc.array(fc.constantFrom(...PIECES.slice(4)), { maxLength: 6 }).map((list) => `{{ ${list.join(" ")} }}`),
    { maxLength: 8 },
  )
  .map((list) => list.join("x"));
const template = fc.oneof(words, actions, fc.string({ unit: "binary" }));
const input = fc.record(
  {
    tool_input: fc.dictionary(fc.string(), fc.jsonValue()),
    tool_response: fc.jsonValue(),
    steering_messages: fc.array(fc.string({ unit: "binary" })),
    cost: fc.double({ noNaN: true, noDefaultInfinity: true }),
    usage: fc.record({ input_tokens: fc.integer() }),
  },
  { requiredKeys: [] },
);

describe("whatever the text and the input are", () => {
  it("there is a text, a syntax error or a render error, and nothing else", () => {
    fc.assert(
      fc.property(template, input, (text, given) => {
        try {
          expect(render(parseTemplate(text), templateData(given, "2026-08"))).toBeTypeOf("string");
        } catch (error) {
          expect(error instanceof TemplateSyntaxError || error instanceof RenderError).toBe(true);
        }
      }),
      { numRuns: repetitions(375, 7_500) },
    );
  });

  it("what is refused before publishing is what would not parse when it runs", () => {
    fc.assert(
      fc.property(template, (text) => {
        let message = "";
        try {
          renderPrompt(text, {}, "2026-07");
        } catch (error) {
          message = String(error);
        }
        expect(message.includes("parse prompt template")).toBe(templateProblem(text) !== undefined);
      }),
      { numRuns: repetitions(200, 4_000) },
    );
  });
});
