/** Texts that no database keeps are refused for every procedure at once, wherever in its input they stand. */

import { unkeepable } from "@quarterdeck/hooks/contract/text/utf8";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { AppError } from "../errors/app-error.ts";

/** JavaScript names instants that the database does not. */
const EARLIEST = Date.parse("0001-01-01T00:00:00Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Errors: `invalid_input` with a pointer to the first text or key with a NUL or a lone surrogate, or to a Date with an
 * unusual year.
 */
export function requireKeepable(input: unknown, pointer = ""): void {
  if (typeof input === "string") {
    const found = unkeepable(input);
    if (found)
      throw new AppError("invalid_input", undefined, {
        says: `${pointer.slice(1) || "The input"}: ${found.says}`,
        pointer,
      });
    return;
  }
  if (input instanceof Date) requireKeepableDate(input, pointer);
  if (typeof input !== "object" || input === null || input instanceof Date) return;
  for (const [key, value] of Object.entries(input)) {
    const name = key.replaceAll("~", "~0").replaceAll("/", "~1");
    if (!Array.isArray(input)) requireKeepable(key, `${pointer}/${truncateText(name, 60)}`);
    requireKeepable(value, `${pointer}/${name}`);
  }
}

/** An invalid one is the schema's to refuse. */
function requireKeepableDate(date: Date, pointer: string): void {
  const ms = date.getTime();
  if (Number.isNaN(ms) || (ms >= EARLIEST && ms <= LATEST)) return;
  const says = `${pointer.slice(1) || "The input"}: a date lies between the years 1 and 9999.`;
  throw new AppError("invalid_input", undefined, { says, pointer });
}
