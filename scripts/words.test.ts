/** The check on words holds only while something sees it refuse: one violation of each kind, and what stays free. */
import { describe, expect, it } from "vitest";
import { violationsOf } from "./words.mjs";

const FILE = "server/costs/totals.ts";
/** Put together, so that this file's own text is not one of them. */
const RETIRED = ["when", "ce"].join("");
const coinage = ["surround", "ings"].join("");

describe("what is refused", () => {
  it.each([
    ["a file's name", `server/costs/${RETIRED}.ts`, "export const sum = 1;\n", `"${RETIRED}" in the file's name`],
    ["a part of a file's name", `server/costs/sum-${RETIRED}.ts`, "", `"${RETIRED}" in the file's name`],
    ["a name that is exported", FILE, `export const ${RETIRED}Of = 1;\n`, `"${RETIRED}" in ${RETIRED}Of`],
    ["a name that a destructured export has", FILE, `export const { ${RETIRED} } = sums;\n`, `in ${RETIRED} is`],
    ["a name that is exported again", FILE, `export { sum as ${RETIRED} } from "./sum.ts";\n`, `in ${RETIRED} is`],
    ["a type that says nothing alone", FILE, "export interface Entry {}\n", "Entry alone says nothing"],
    ["a name of the product where it measures nothing", FILE, "export const benchRun = 1;\n", `"bench" in benchRun`],
    ["a coinage in a comment", FILE, `// Of its ${coinage}.\nexport const sum = 1;\n`, `"${coinage}" in a comment`],
    ["a comment that is a question", FILE, "/** What it sums. */\nexport const sum = 1;\n", 'begins with "What"'],
    [
      "a comment in a type that is one",
      FILE,
      "type A = {\n  /** How long. */\n  ms: number;\n};\n",
      'begins with "How"',
    ],
    [
      "a construction in a string",
      "components/costs/totals.tsx",
      'const a = "Shown to nobody else";\n',
      '"nobody" in a text',
    ],
    [
      "a construction in JSX",
      "components/costs/totals.tsx",
      "const a = <p>The total. Of its calls, two.</p>;\n",
      "start with",
    ],
    [
      "a construction in a template",
      "server/errors/catalogue.ts",
      `const a = ${"`"}\${b} goes on after this${"`"};\n`,
      "plain verb",
    ],
    ["a page's text", "components/costs/totals.tsx", `const a = <p>${"Denied"} here</p>;\n`, "is retired"],
  ])("%s", (_title, file, text, says) => {
    const found = violationsOf(file, text);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(says);
    expect(found[0]?.startsWith(`${file}:`)).toBe(true);
  });
});

describe("what stays free", () => {
  it.each([
    ["the kind of a test file", `server/costs/totals.${["pro", "of"].join("")}.test.ts`, "export const sum = 1;\n"],
    [
      "plain English in a comment",
      FILE,
      "/** The sums that stand here, beside the others. */\nexport const sum = 1;\n",
    ],
    ["a name that only holds the letters", FILE, "export const thereof = 1;\nexport const shorthand = 2;\n"],
    ["a name that nobody else sees", FILE, `const ${RETIRED} = 1;\nexport const sum = ${RETIRED};\n`],
    ["a measurement", "bench/gate.ts", "export const benchRun = 1;\n"],
    ["a type with its kind", FILE, "export interface LedgerEntry {}\n"],
    ["a string", FILE, 'export const sum = "/** What it sums. */";\n'],
    ["a short label", "components/costs/totals.tsx", 'const a = "Nobody";\n'],
    ["a text that no page shows", "server/costs/totals.ts", 'const a = "owned by nobody else";\n'],
  ])("%s", (_title, file, text) => {
    expect(violationsOf(file, text)).toEqual([]);
  });
});
