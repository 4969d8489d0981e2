import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { Refusal } from "./refusal.ts";

/** The text of a file, or of stdin for "-". Errors: a `Refusal` when it cannot be read. */
export async function readPolicyFile(file: string): Promise<string> {
  if (file === "-") return text(process.stdin);
  return readFile(file, "utf8").catch((error: unknown) => {
    const why = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new Refusal(`${file} cannot be read${why}.`);
  });
}

export const shownName = (file: string): string => (file === "-" ? "stdin" : file);
