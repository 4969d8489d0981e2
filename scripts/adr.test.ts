/** Decisions are read by people who look for one: all have one form, and the index names each. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "./project.mjs";

const FOLDER = join(ROOT, "docs/adr");
const SECTIONS = ["Context", "Decision", "Consequences", "What would change our mind"];
const files = readdirSync(FOLDER).filter((file) => file !== "README.md");
const textOf = (file: string) => readFileSync(join(FOLDER, file), "utf8");
const titleOf = (file: string) => textOf(file).split("\n", 1)[0] ?? "";

describe("a decision", () => {
  it.each(files)("%s has its number, status, date and sections", (file) => {
    const [number, ...words] = file.replace(/\.md$/, "").split("-");
    const text = textOf(file);
    expect(number).toMatch(/^\d{4}$/);
    expect(words.length).toBeGreaterThan(1);
    expect(text).toMatch(
      new RegExp(`^# ${Number(number)}\\. [A-Z].+\\n\\nStatus: accepted\\. Date: 2\\d{3}-\\d\\d-\\d\\d\\.`),
    );
    const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(sections.filter((title) => title !== "Alternatives")).toEqual(SECTIONS);
  });

  it("stands in the index by its title, once, in the order of numbers", () => {
    const index = readFileSync(join(FOLDER, "README.md"), "utf8");
    const listed = [...index.matchAll(/^\| \d+ \| \[(.*)\]\((.*)\) \|/gm)].map(([, title, file]) => `${file} ${title}`);
    expect(listed).toEqual(files.sort().map((file) => `${file} ${titleOf(file).replace(/^# \d+\. /, "")}`));
  });
});
