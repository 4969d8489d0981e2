import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { indexKeyText, pgText } from "./pg-text.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const wild = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\u0000", "\ud83d", "\ude00", "😀", "\\", "u0000", "\n", "'"),
    fc.string({ unit: "binary", maxLength: 1 }),
  ),
  maxLength: 40,
});
const stored = async (texts: readonly string[]) => {
  const found = await db.database.pool.query<{ text: string }>("SELECT * FROM unnest($1::text[]) AS text", [texts]);
  return found.rows.map(({ text }) => text);
};

describe("text for PostgreSQL", () => {
  test("comes back as it went in, whatever it holds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(wild, { minLength: 1, maxLength: 50 }), async (texts) => {
        const sent = texts.map(pgText);
        expect(await stored(sent)).toEqual(sent);
      }),
      { numRuns: 40 },
    );
  });

  test("is untouched when PostgreSQL can hold it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        if (!text.includes("\u0000")) expect(pgText(text)).toBe(text);
      }),
    );
  });

  test.each([
    ["a\u0000b", "a\\u0000b"],
    ["\ud83d", "\\ud83d"],
    ["\ude00\ud83d", "\\ude00\\ud83d"],
    ["\ud83d\ud83d\ude00", "\\ud83d😀"],
    ["😀\u0000", "😀\\u0000"],
    ["", ""],
  ])("%j is stored as %j", (text, kept) => {
    expect(pgText(text)).toBe(kept);
  });
});

describe("text for an index", () => {
  test("fits, stands for one text alone, and is the text itself when short", async () => {
    const long = (end: string) => `${"😀é\u0000".repeat(2_000)}${end}`;
    expect(indexKeyText(long("a"))).not.toBe(indexKeyText(long("b")));
    expect(indexKeyText(long("a"))).toBe(indexKeyText(long("a")));
    expect(indexKeyText("s".repeat(256))).toBe("s".repeat(256));
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
        const key = indexKeyText(text);
        expect(key.length).toBeLessThanOrEqual(256);
        expect(pgText(key)).toBe(key);
        expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1_024);
      }),
    );
    expect(await stored([indexKeyText(long("a"))])).toEqual([indexKeyText(long("a"))]);
  });
});
