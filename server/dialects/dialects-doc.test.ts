import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { CLIENT_CAPABILITIES } from "./clients.ts";
import { dialectsDocument } from "./dialects-doc.ts";

const FILE = fileURLToPath(new URL("../../docs/dialects.md", import.meta.url));

it("docs/dialects.md says what the tables of capabilities say", async () => {
  if (process.env.UPDATE_DOCS) await writeFile(FILE, dialectsDocument());
  const written = await readFile(FILE, "utf8").catch(() => "");
  expect(written, "stale: run UPDATE_DOCS=1 npx vitest run server/dialects/dialects-doc").toBe(dialectsDocument());
});

it("the document names every client", () => {
  for (const { title } of Object.values(CLIENT_CAPABILITIES)) expect(dialectsDocument()).toContain(`### ${title}`);
});
