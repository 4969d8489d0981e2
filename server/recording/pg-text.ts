import { createHash } from "node:crypto";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";

/**
 * `text` as PostgreSQL can store it, nothing lost to the eye: NUL becomes its escape `\u0000` and a lone surrogate its
 * own, since neither exists in UTF-8 text.
 */
export function pgText(text: string): string {
  return CLEAN.test(text)
    ? text
    : text.replace(DIRTY, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is the very thing looked for.
const CLEAN = /^[^\u0000\ud800-\udfff]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const DIRTY = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** An index row holds some 2,700 bytes; two texts like this, four bytes a character, fit into one. */
const KEY_CHARACTERS_MAX = 256;

/**
 * `text` in a form that an index accepts: as `pgText`, with a longer text cut and marked by a hash. The stored input
 * keeps the whole text.
 */
export function indexKeyText(text: string, charactersMax: number = KEY_CHARACTERS_MAX): string {
  const whole = pgText(text);
  if (whole.length <= charactersMax) return whole;
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, 16);
  return `${truncateText(whole, charactersMax - 20, "")}…${hash}`;
}
