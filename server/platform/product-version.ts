import { readFileSync } from "node:fs";
import { z } from "zod";

const manifest = z.object({ version: z.string() });
let known: string | null = null;

/** The version of Quarterdeck, as its package names it. */
export function productVersion(): string {
  known ??= manifest.parse(JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))).version;
  return known;
}
