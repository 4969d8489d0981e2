/** Text from the network for a terminal or a client: one line without control characters and direction marks. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";

const CHARACTERS_MAX = 500;
/** C0 and C1 controls, line separators, marks and overrides of direction, zero-width and tag characters. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029\p{Co}\p{Cs}]+/gu;

export function plainLine(text: string, charactersMax = CHARACTERS_MAX): string {
  // Bounds the work for long texts.
  const plain = text
    .slice(0, charactersMax * 8)
    .replace(HIDDEN, " ")
    .replace(/\s+/g, " ")
    .trim();
  return truncateText(plain, charactersMax);
}

/** The same for several lines; line ends stay. */
export const plainLines = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(HIDDEN, " "))
    .join("\n");

/** The same for formatted text: line ends and tabs stay. */
export const plainText = (text: string): string =>
  text.replace(/\r\n/g, "\n").replace(HIDDEN, (run) => run.replace(/[^\n\t]+/gu, " "));

/** JSON with every terminal control character escaped: the same values, and all of them visible. */
export const plainJson = (json: string): string => json.replace(HIDDEN, (run) => run.replace(/[^\n\r\t]/g, escapeUnit));

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
