import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { BUILTIN_NAMES, BUILTINS } from "../contract/builtins.ts";
import { AVAILABLE_BUILTINS, agentBuiltins, serverBuiltins } from "../handlers/builtin/registry.ts";
import { builtinsDocument } from "./builtins-doc.ts";

const FILE = fileURLToPath(new URL("../../../docs/builtins.md", import.meta.url));

it("docs/builtins.md says what the table says", async () => {
  if (process.env.UPDATE_DOCS) await writeFile(FILE, builtinsDocument());
  const written = await readFile(FILE, "utf8").catch(() => "");
  expect(written, "stale: run UPDATE_DOCS=1 npx vitest run server/hooks/conformance/builtins-doc").toBe(
    builtinsDocument(),
  );
});

it("there is code for every row, at each place that the row names and at no other", () => {
  const { builtins } = agentBuiltins({ env: {}, tempDir: "/tmp", homeDir: "", dataDir: "/tmp" });
  const placedAt = (place: string) =>
    BUILTIN_NAMES.filter((name) => (BUILTINS[name].places as readonly string[]).includes(place)).sort();
  expect(builtins.map(({ name }) => name).sort()).toEqual(placedAt("agent"));
  expect(
    serverBuiltins()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(placedAt("server"));
  expect([...AVAILABLE_BUILTINS].sort()).toEqual([...BUILTIN_NAMES].sort());
  for (const { name, runsLast } of builtins) {
    const facts = BUILTIN_NAMES.flatMap((known) => (known === name ? [BUILTINS[known]] : []))[0];
    expect(facts && "runsLast" in facts).toBe(runsLast === true);
  }
});
