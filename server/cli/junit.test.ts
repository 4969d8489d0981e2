import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { junitOf } from "./junit.ts";

interface Element {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Element[];
  text: string;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Reads as strictly as XML 1.0 demands of what we write: throws for anything else. */
function read(xml: string): Element {
  for (const character of xml) {
    const code = character.codePointAt(0) ?? 0;
    const isChar =
      code === 9 ||
      code === 10 ||
      code === 13 ||
      (code >= 0x20 && code <= 0xd7ff) ||
      (code >= 0xe000 && code <= 0xfffd) ||
      code >= 0x10000;
    if (!isChar) throw new Error(`not a character of XML: ${code}`);
  }
  const plain = (raw: string) => {
    if (/[<"]/.test(raw)) throw new Error(`unescaped: ${raw}`);
    return raw.replace(/&(?:#(\d+)|(\w+));|&/g, (_all, code?: string, name?: string) => {
      const found = code ? String.fromCodePoint(Number(code)) : ENTITIES[name ?? ""];
      if (found === undefined) throw new Error(`no entity: ${raw}`);
      return found;
    });
  };
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, "");
  const token = /<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)/gy;
  while (token.lastIndex < body.length) {
    const at = token.lastIndex;
    const [, closes, name, attributes = "", isEmpty, text] = token.exec(body) ?? [];
    const current = open.at(-1) ?? root;
    if (text !== undefined) current.text += plain(text);
    else if (name === undefined) throw new Error(`cannot be read at ${at}: ${body.slice(at, at + 40)}`);
    else if (closes) {
      if (open.pop()?.name !== name) throw new Error(`closes what is not open: ${name}`);
    } else {
      const pairs = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key = "", raw = ""]) => [key, plain(raw)]);
      const element = { name, attributes: Object.fromEntries(pairs), children: [], text: "" };
      current.children.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  if (open.length !== 1) throw new Error("left open");
  return root.children[0] ?? root;
}

const outcome = { verdict: "none" as const, durationMs: 12.4 };
const kept = (text: string) => text.replace(/[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/gu, "\ufffd");

describe("a JUnit report", () => {
  it("is well-formed and says what was said, whatever that was", () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
      fc.constantFrom("\u0000\u001b[31m", "]]>", "<![CDATA[", "&lt;", "a\nb\tc\r", "\ud800"),
    );
    fc.assert(
      fc.property(anything, fc.array(fc.tuple(anything, fc.array(anything, { maxLength: 2 }))), (policy, named) => {
        const cases = named.map(([name, differs]) => ({ name, differs, passed: differs.length === 0, ...outcome }));
        const suite = read(junitOf(policy, cases)).children[0];
        expect(suite?.attributes).toMatchObject({ name: kept(policy), tests: String(cases.length) });
        expect(suite?.children.map(({ attributes }) => attributes.name)).toEqual(cases.map(({ name }) => kept(name)));
        for (const [at, one] of cases.entries()) {
          const failure = suite?.children[at]?.children[0];
          expect(failure === undefined).toBe(one.passed);
          if (failure) expect(failure.text).toBe(kept(one.differs.join("\n")));
        }
      }),
    );
  });

  it("counts in seconds and failures", () => {
    const report = read(
      junitOf("p", [
        { name: "a", passed: true, differs: [], ...outcome },
        { name: "b", passed: false, differs: ["no"], ...outcome },
      ]),
    );
    expect(report.attributes).toMatchObject({ tests: "2", failures: "1", time: "0.025" });
  });

  it("would not be read were it not well-formed", () => {
    const whole = junitOf("p", [{ name: "a", passed: true, differs: [], ...outcome }]);
    expect(() => read(whole.replace("</testsuite>", ""))).toThrow();
    expect(() => read(whole.replace('name="a"', 'name="a<"'))).toThrow();
    expect(() => read(whole.replace('name="a"', 'name="\u0001"'))).toThrow("not a character");
  });
});
