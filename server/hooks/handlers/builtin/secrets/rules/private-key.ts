import { characterClass, runAfter } from "../character-class.ts";
import type { Rule } from "../rule.ts";

const DASHES = "-----";
const HEADER_LENGTH_MAX = 100;
/** Base64, escaped line ends, and the headers of encrypted and PGP keys. No bracket, so a marker does not match. */
const BODY = characterClass("[A-Za-z0-9=+/\\\\\\s:,.()@<>-]");
/** `CUT_LENGTH_MIN` characters of unbroken base64 identify a key whose end was cut off. */
const CUT_BODY = characterClass("[A-Za-z0-9=+/\\\\\\r\\n]");
const CUT_LENGTH_MIN = 60;

/** The body of a PEM private key. Its first and last lines stay. Linear: a body ends at the next five dashes. */
export const privateKey: Rule = {
  name: "private-key",
  keywords: ["-----BEGIN", "----- BEGIN"],
  find(text, at, length) {
    const start = at + length + headerRest(text.slice(at + length, at + HEADER_LENGTH_MAX));
    if (start === at + length) return null;
    const dashes = text.indexOf(DASHES, start);
    const end = dashes === -1 ? text.length : dashes;
    const isClosed = dashes !== -1 && /^-----\s?END/i.test(text.slice(dashes, dashes + 9));
    if (isClosed && end > start && runAfter(text, start, BODY, end - start) === end - start) return { start, end };
    const run = runAfter(text, start, CUT_BODY);
    return run >= CUT_LENGTH_MIN ? { start, end: start + run } : null;
  },
};

/** The length of the rest of the first line after BEGIN, including dashes, if it announces a private key; else 0. */
function headerRest(rest: string): number {
  const dashes = rest.indexOf(DASHES);
  const title = rest.slice(0, Math.max(dashes, 0)).trim();
  return title.endsWith("PRIVATE KEY") || title.endsWith("PRIVATE KEY BLOCK") ? dashes + DASHES.length : 0;
}
