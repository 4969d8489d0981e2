import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { eventNames } from "../contract/events.ts";
import { eventsDocument } from "./events-doc.ts";

const FILE = fileURLToPath(new URL("../../../docs/events.md", import.meta.url));

it("docs/events.md says what the contracts table says", async () => {
  if (process.env.UPDATE_DOCS) {
    await mkdir(fileURLToPath(new URL("../../../docs", import.meta.url)), { recursive: true });
    await writeFile(FILE, eventsDocument());
  }
  const written = await readFile(FILE, "utf8").catch(() => "");
  expect(written, "stale: run UPDATE_DOCS=1 npx vitest run server/hooks/conformance/events-doc").toBe(eventsDocument());
});

it("the document names every event", () => {
  for (const event of eventNames("2026-11")) expect(eventsDocument()).toContain(`| \`${event}\``);
});
