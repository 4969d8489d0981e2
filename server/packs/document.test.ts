import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { OTHER_CASES } from "./cases/others.ts";
import { SHELL_CASES } from "./cases/shells.ts";
import { packsDocument } from "./document.ts";

const FILE = fileURLToPath(new URL("../../docs/packs.md", import.meta.url));

it("docs/packs.md says what the packs say", async () => {
  const document = packsDocument((id) => (SHELL_CASES[id] ?? OTHER_CASES[id] ?? []).length);
  if (process.env.UPDATE_DOCS) await writeFile(FILE, document);
  const written = await readFile(FILE, "utf8").catch(() => "");
  expect(written, "stale: run UPDATE_DOCS=1 npx vitest run server/packs/document").toBe(document);
});
