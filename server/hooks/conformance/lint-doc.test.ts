import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { LINT_RULES } from "../contract/lint/rules.ts";
import { lintDocument } from "./lint-doc.ts";

const FILE = fileURLToPath(new URL("../../../docs/lint-rules.md", import.meta.url));

it("docs/lint-rules.md says what the table of rules says", async () => {
  if (process.env.UPDATE_DOCS) await writeFile(FILE, lintDocument());
  const written = await readFile(FILE, "utf8").catch(() => "");
  expect(written, "stale: run UPDATE_DOCS=1 npx vitest run server/hooks/conformance/lint-doc").toBe(lintDocument());
});

it("the document has a section for every rule, with its two examples", () => {
  const sections = lintDocument().split("\n## ").slice(1);
  expect(sections.map((section) => section.split("\n")[0])).toEqual(LINT_RULES.map(({ id }) => id));
  for (const section of sections) expect(section.match(/```yaml/g)).toHaveLength(2);
});
