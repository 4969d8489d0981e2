import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { nativeScript } from "./native-script.ts";

const FILE = fileURLToPath(new URL("../../../scripts/quarterdeck-hook.sh", import.meta.url));

it("quarterdeck-hook.sh checks answers as every relay does", async () => {
  if (process.env.UPDATE_DOCS) await writeFile(FILE, nativeScript());
  const stale = "stale: run UPDATE_DOCS=1 npx vitest run server/dialects/relay/native-script";
  expect(await readFile(FILE, "utf8"), stale).toBe(nativeScript());
});
