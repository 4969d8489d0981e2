/** Texts that no database keeps are refused for every procedure at once, wherever in its input they stand. */
import { AppError } from "../errors/app-error.ts";
import { unkeepable } from "../hooks/contract/text/utf8.ts";

/** Errors: `invalid_input` with a pointer to the first text or key that holds a NUL or half of a character. */
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
  if (typeof input !== "object" || input === null || input instanceof Date) return;
  for (const [key, value] of Object.entries(input)) {
    const name = key.replaceAll("~", "~0").replaceAll("/", "~1");
    if (!Array.isArray(input)) requireKeepable(key, `${pointer}/${name.slice(0, 60)}`);
    requireKeepable(value, `${pointer}/${name}`);
  }
}
