/** A report's bytes as text that can be cut into events. An event that is no UTF-8 is refused by itself, as any other bad one. */
import { isUtf8 } from "node:buffer";
import { textOf } from "../access/json-text.ts";

export interface ReportText {
  /** To be cut into lines or elements. */
  readonly text: string;
  /** The text of an event that was cut from it; null where its bytes are no UTF-8. */
  restore(cut: string): string | null;
}

export function decodeReport(bytes: Buffer): ReportText {
  if (isUtf8(bytes)) return { text: textOf(bytes), restore: (cut) => cut };
  // Line ends and JSON's syntax are ASCII, so a report is split at the same places when it is read as bytes.
  return { text: bytes.toString("latin1"), restore: decoded };
}

function decoded(latin: string): string | null {
  const bytes = Buffer.from(latin, "latin1");
  return isUtf8(bytes) ? textOf(bytes) : null;
}
