import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { textOfBytes } from "@quarterdeck/hooks/contract/text/utf8";
import { Refusal } from "./refusal.ts";

/** The text of a file, or of stdin for "-". Errors: a `Refusal` when it cannot be read, or is no UTF-8. */
export async function readPolicyFile(file: string): Promise<string> {
  const read = textOfBytes(await bytesOf(file));
  if (!read.ok) throw new Refusal(`${shownName(file)}: ${read.says}`);
  return read.text;
}

async function bytesOf(file: string): Promise<Uint8Array> {
  if (file === "-") return buffer(process.stdin);
  return readFile(file).catch((error: unknown) => {
    const why = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new Refusal(`${file} cannot be read${why}.`);
  });
}

export const shownName = (file: string): string => (file === "-" ? "stdin" : file);
