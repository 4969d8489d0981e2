/**
 * `text` as PostgreSQL can store it, nothing lost to the eye: NUL becomes its escape `\u0000` and a lone surrogate its
 * own, since neither exists in UTF-8 text.
 */
export function storable(text: string): string {
  return CLEAN.test(text)
    ? text
    : text.replace(DIRTY, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is the very thing looked for.
const CLEAN = /^[^\u0000\ud800-\udfff]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const DIRTY = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
