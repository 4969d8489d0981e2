import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CLIENT_ENROLMENTS } from "../../dialects/index.ts";
import { isOursFor } from "./merge-settings.ts";
import { withEnrolment, withoutEnrolment } from "./settings.ts";

const URL = "https://quarterdeck.example.com";
const scope = "managed";

/** Settings with and without the keys that an enrolment touches. */
const command = fc.record({ type: fc.constant("command"), command: fc.string() });
const groups = fc.array(fc.record({ matcher: fc.string(), hooks: fc.array(command, { maxLength: 3 }) }), {
  maxLength: 3,
});
const hooks = fc.dictionary(fc.constantFrom("PreToolUse", "BeforeTool", "Stop", "preToolUse", "Other"), groups);
const others = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
const settings = fc
  .tuple(
    others,
    fc.record(
      {
        hooks,
        hooksConfig: fc.record({ enabled: fc.boolean() }),
        allowManagedHooksOnly: fc.boolean(),
        version: fc.nat(),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([free, known]) => ({ ...free, ...known }));
const layout = fc.constantFrom<string | number>(0, 2, 4, "\t");

const JSON_CLIENTS = (["claude-code", "gemini", "qwen", "cursor"] as const).map((client) => {
  const [file] = CLIENT_ENROLMENTS[client]({ url: URL, scope });
  if (file?.settings === undefined) throw new Error(`${client} has no settings`);
  return { client, content: file.content, format: file.settings };
});

describe.each(JSON_CLIENTS)("any settings of $client", ({ client, content, format }) => {
  const isOurs = isOursFor(client);

  it("hold the enrolment after it, once", () => {
    fc.assert(
      fc.property(settings, layout, (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const enrolled = withEnrolment({ name: "file", format, text }, content, isOurs);
        const after = JSON.parse(enrolled.text);
        for (const [event, [group]] of Object.entries<unknown[]>(JSON.parse(content).hooks))
          expect(after.hooks[event]).toContainEqual(group);
        const again = withEnrolment({ name: "file", format, text: enrolled.text }, content, isOurs);
        expect(again).toEqual({ text: enrolled.text, changes: [] });
      }),
    );
  });

  it("are what they were after the removal", () => {
    fc.assert(
      fc.property(settings, layout, (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const enrolled = withEnrolment({ name: "file", format, text }, content, isOurs);
        const removed = withoutEnrolment({ name: "file", format, text: enrolled.text }, enrolled.changes, isOurs);
        expect(removed === null ? {} : JSON.parse(removed)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("keep what a person added between the two", () => {
    fc.assert(
      fc.property(settings, fc.jsonValue({ maxDepth: 2 }), (value, addition) => {
        const text = JSON.stringify(value);
        const enrolled = withEnrolment({ name: "file", format, text }, content, isOurs);
        const added = JSON.stringify({ ...JSON.parse(enrolled.text), added: addition });
        const removed = withoutEnrolment({ name: "file", format, text: added }, enrolled.changes, isOurs);
        expect(JSON.parse(removed ?? "{}")).toEqual({
          ...JSON.parse(text),
          added: JSON.parse(JSON.stringify(addition)),
        });
      }),
    );
  });
});

describe("settings", () => {
  const [claude] = JSON_CLIENTS;
  const { content, format } = claude ?? { content: "", format: "json" as const };
  const isOurs = isOursFor("claude-code");
  const enrol = (text: string) => withEnrolment({ name: "file", format, text }, content, isOurs).text;

  it("get the hooks of another address instead of the former ones, and keep a stranger in our group", () => {
    const stranger = { type: "command", command: "true" };
    const former = { type: "command", command: "curl http://old.example/api/v1/hooks/claude-code/PreToolUse" };
    const after = JSON.parse(
      enrol(JSON.stringify({ hooks: { PreToolUse: [{ hooks: [former, stranger] }], Old: [{ hooks: [former] }] } })),
    );
    expect(after.hooks.PreToolUse[0]).toEqual({ hooks: [stranger] });
    expect(after.hooks.PreToolUse).toHaveLength(2);
    expect(JSON.stringify(after)).not.toContain("old.example");
  });

  it("are refused when a key stands twice where the enrolment writes", () => {
    expect(() => enrol('{"hooks":{"Stop":[]},"hooks":{}}')).toThrow("cannot be changed safely");
  });

  it("are refused when they are nested without end", () => {
    expect(() => enrol(`{"a":${"[".repeat(200_000)}`)).toThrow(/nested too deeply|cannot be read/);
  });

  it("keep a mark of byte order and the ends of lines", () => {
    const text = enrol('\uFEFF{\r\n  "a": 1\r\n}\r\n');
    expect(text.startsWith("\uFEFF{\r\n")).toBe(true);
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  });
});
