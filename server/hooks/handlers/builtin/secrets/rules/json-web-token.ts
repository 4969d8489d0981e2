import { z } from "zod";
import { characterClass, runAfter, runBefore } from "../character-class.ts";
import type { Looks, Rule } from "../rule.ts";

const PART = characterClass("[a-zA-Z0-9_-]");
/** The encoded length of `{"alg":""}`. */
const HEADER_LENGTH_MIN = 14;
const HEADER_LENGTH_MAX = 8_192;
/** The number of start positions to try, because other text may directly precede the token. */
const BEGINNINGS_MAX = 8;

const header = z.looseObject({ alg: z.string().min(1) });

/**
 * A signed JWT: a header that names the algorithm, and two more parts. An unsigned one proves nothing and stays. Found by the dot
 * before the payload: parts are runs between dots, so a search in both directions stays linear.
 */
export const jsonWebToken: Rule = {
  name: "json-web-token",
  keywords: [".ey"],
  find(text, dot, _length, looks) {
    if (!text.startsWith(".ey", dot)) return null;
    const second = dot + 1 + runAfter(text, dot + 1, PART);
    if (text[second] !== ".") return null;
    const first = dot - runBefore(text, dot, PART, HEADER_LENGTH_MAX);
    let at = text.indexOf("ey", first);
    for (let tries = 0; tries < BEGINNINGS_MAX && at !== -1 && at <= dot - HEADER_LENGTH_MIN; tries += 1) {
      if (isSignedHeader(text.slice(at, dot), looks)) {
        const start = text.startsWith("ghs_", at - 4) ? at - 4 : at;
        return { start, end: second + 1 + runAfter(text, second + 1, PART) };
      }
      at = text.indexOf("ey", at + 1);
    }
    return null;
  },
};

function isSignedHeader(part: string, looks: Looks): boolean {
  const json = Buffer.from(part, "base64url").toString("utf8");
  if (!json.includes('"alg"')) return false;
  if (looks.left === 0) return true;
  looks.left -= 1;
  try {
    const parsed = header.safeParse(JSON.parse(json));
    return parsed.success && parsed.data.alg.toLowerCase() !== "none";
  } catch {
    return false;
  }
}
