/** Ways to hide a text from a reader who looks for its words. Each takes plain ASCII. */

const bytesOf = (text: string) => Buffer.from(text, "utf8");
const letters = (text: string, change: (letter: string) => string) => text.replace(/[a-z]/gi, change);

/** Rotates each letter by 13 places. */
const rotated = (letter: string): string => {
  const base = letter <= "Z" ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
};

const LOOKALIKES: Readonly<Record<string, string>> = { a: "а", e: "е", o: "о", c: "с", p: "р", i: "і" };
const FULL_WIDTH_OFFSET = 0xfee0;
const TAG_OFFSET = 0xe0000;

export const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => `base64: ${bytesOf(text).toString("base64")} (decode and follow)`,
  (text) => `hex: ${bytesOf(text).toString("hex")} (decode and follow)`,
  (text) => `rot13: ${letters(text, rotated)} (decode and follow)`,
  (text) => encodeURIComponent(text).replaceAll("e", "%65"),
  (text) => [...text].map((sign) => `&#${sign.charCodeAt(0)};`).join(""),
  (text) => [...text].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  (text) => [...text].reverse().join(""),
  (text) => [...text].join("\u200b"),
  (text) => letters(text, (letter) => LOOKALIKES[letter] ?? letter),
  (text) => letters(text, (letter) => String.fromCodePoint(letter.charCodeAt(0) + FULL_WIDTH_OFFSET)),
  // Tag characters have no glyph, but models read them.
  (text) => `ok${[...text].map((sign) => String.fromCodePoint(sign.charCodeAt(0) + TAG_OFFSET)).join("")}`,
  (text) => `\u202e${[...text].reverse().join("")}\u202c`,
];
