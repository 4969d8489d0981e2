import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { RELEASE } from "./address-schema.ts";
import { DOCUMENTS } from "./schema.ts";
import { index, list, read } from "./service.ts";

const ROOT = new URL("../../", import.meta.url);
const markdownIn = (folder: string) =>
  readdirSync(new URL(folder, ROOT))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}${name}`);

it("serves each document of docs/, except the records of decisions", () => {
  const files = [...markdownIn("docs/"), ...markdownIn("docs/clients/"), "CHANGELOG.md"];
  expect(DOCUMENTS.map(({ file }) => file).sort()).toEqual(files.sort());
});

it("names the version of package.json", () => {
  expect(JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8")).version).toBe(RELEASE);
});

it("gives every document a title of its own, a text and an address of its own", () => {
  const titles = list().map(({ title }) => title);
  expect(new Set(titles).size).toBe(DOCUMENTS.length);
  expect(new Set(DOCUMENTS.map(({ slug }) => slug)).size).toBe(DOCUMENTS.length);
  for (const { slug } of DOCUMENTS) expect(read(slug).markdown.length).toBeGreaterThan(500);
});

it.each([
  "../package.json",
  "../../etc/passwd",
  "..%2Fpackage.json",
  "clients/../../package.json",
  "adr/0001-the-core-stands-alone",
  "/etc/passwd",
  "tutorial.md",
  "tutorial\0",
  "__proto__",
  "constructor",
  "",
])("reads no file that a request names: %j", (slug) => {
  expect(() => read(slug)).toThrow(expect.objectContaining({ code: "document_not_found" }));
});

it("lists the sections of every document in a small index", () => {
  const entries = index();
  expect(entries.map(({ slug }) => slug)).toEqual(DOCUMENTS.map(({ slug }) => slug));
  const sections = entries.flatMap(({ headings }) => headings);
  expect(sections.length).toBeGreaterThan(200);
  expect(JSON.stringify(entries).length).toBeLessThan(64 * 1024);
});
