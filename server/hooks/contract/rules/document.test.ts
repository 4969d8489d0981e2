/** docs/rules.md: every example is a rule that can be published, and no condition is without one. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { rule, rules } from "./schema.ts";

const DOCUMENT = readFileSync(new URL("../../../../docs/rules.md", import.meta.url), "utf8");
const BLOCKS = [...DOCUMENT.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text = ""]) => parse(text) as unknown);
/** The last column of the table of conditions; two texts are the lines of one condition. */
const CELLS = [...DOCUMENT.matchAll(/^\| `[^|]+\| [^|]+ \| (`.*`) \|$/gm)].map(([, cell = ""]) =>
  cell.replaceAll("`, `", "\n").slice(1, -1),
);

it.each(BLOCKS.filter(Array.isArray).map((block) => [JSON.stringify(block).slice(0, 60), block]))("%s", (_, block) => {
  expect(rules.safeParse(block).error).toBeUndefined();
});

it.each(CELLS)("%s", (text) => {
  expect(rule.safeParse({ deny: "x", ...(parse(text) as object) }).error).toBeUndefined();
});

it("has an example of each condition", () => {
  const used = CELLS.flatMap((text) => Object.keys(parse(text) as object));
  const named = [
    "command",
    "path",
    "host",
    "mcp",
    "sql",
    "tool",
    "kind",
    "opaque",
    "label",
    "larger_than",
    "tag",
    "after",
    "within",
    "any",
  ];
  expect(named.filter((name) => !used.includes(name))).toEqual([]);
});
