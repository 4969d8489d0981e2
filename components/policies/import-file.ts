import { textOfBytes } from "@quarterdeck/hooks/contract/text/utf8";
import { IMPORT_BYTES_MAX, IMPORT_TOO_LARGE } from "@/server/policies/schema";

/** The text of a chosen file, or the reason why it cannot be taken. */
export async function readChosenFile(chosen: File): Promise<{ text: string } | { refusal: string }> {
  if (chosen.size > IMPORT_BYTES_MAX) return { refusal: IMPORT_TOO_LARGE };
  const decoded = textOfBytes(new Uint8Array(await chosen.arrayBuffer()));
  return decoded.ok ? { text: decoded.text.replace(/^\ufeff/, "") } : { refusal: decoded.says };
}

/** A policy's name from the file's name. Characters that a name may not contain become spaces. */
export const policyNameOf = ({ name }: File): string =>
  name
    .replace(/\.[^.]*$/, "")
    .replace(/[^\p{L}\p{N} ._-]/gu, " ")
    .trim();
