import { findRepeatedKey, repeatedKeyFault } from "@quarterdeck/hooks/contract/call-text";
import { AppError } from "../errors/app-error.ts";

/** Errors: `invalid_input`, for a text with an object that has a key twice. The text is JSON. */
export function requireSingleKeys(text: string): void {
  const key = findRepeatedKey(text);
  if (key !== null) throw new AppError("invalid_input", undefined, { says: repeatedKeyFault(key), pointer: "" });
}
