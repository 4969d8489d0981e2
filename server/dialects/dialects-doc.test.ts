import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { clientDocument } from "./client-doc.ts";
import { CLIENT_CAPABILITIES } from "./clients.ts";
import { dialectsDocument } from "./dialects-doc.ts";
import { CLIENT_NAMES, clientTitle } from "./schema.ts";

const FILE = fileURLToPath(new URL("../../docs/dialects.md", import.meta.url));

it("docs/dialects.md says what the tables of capabilities say", async () => {
  if (process.env.UPDATE_DOCS) await writeFile(FILE, dialectsDocument());
  const written = await readFile(FILE, "utf8").catch(() => "");
  expect(written, "stale: run UPDATE_DOCS=1 npx vitest run server/dialects/dialects-doc").toBe(dialectsDocument());
});

it("the document names every client", () => {
  for (const { title } of Object.values(CLIENT_CAPABILITIES)) expect(dialectsDocument()).toContain(`### ${title}`);
});

const FOLDER = fileURLToPath(new URL("../../docs/clients/", import.meta.url));

it.each(CLIENT_NAMES)("docs/clients/%s.md says what its tables say", async (name) => {
  const file = `${FOLDER}${name}.md`;
  if (process.env.UPDATE_DOCS) {
    await mkdir(FOLDER, { recursive: true });
    await writeFile(file, clientDocument(name));
  }
  const written = await readFile(file, "utf8").catch(() => "");
  expect(written, "stale: run UPDATE_DOCS=1 npx vitest run server/dialects/dialects-doc").toBe(clientDocument(name));
});

it("there is a page for every client and for nothing else, under the name that people know", async () => {
  expect((await readdir(FOLDER)).sort()).toEqual(CLIENT_NAMES.map((name) => `${name}.md`).sort());
  expect([...CLIENT_NAMES].sort()).toEqual(Object.keys(CLIENT_CAPABILITIES).sort());
  for (const name of CLIENT_NAMES) expect(CLIENT_CAPABILITIES[name].title).toBe(clientTitle(name));
});
