/** A value as YAML writes it on one line or as a block below. Text in, text out; the caller checks by reading it again. */

export type Scalar = string | number | boolean;
export type Style = "PLAIN" | "QUOTE_SINGLE" | "QUOTE_DOUBLE" | "BLOCK_LITERAL" | "BLOCK_FOLDED";

/** The text after the colon, and the lines below it without their indentation. */
export interface Written {
  readonly inline: string;
  readonly below: readonly string[];
}

/** Ways to write a value, the one nearest to `style` first. In a flow collection there are no lines below. */
export function writings(value: Scalar, style: Style | undefined, inFlow: boolean): Written[] {
  if (typeof value !== "string") return [line(String(value))];
  const isLong = value.includes("\n") && !inFlow;
  const ways: Written[] = [];
  if (style === "BLOCK_FOLDED" && !inFlow) ways.push(...folded(value));
  if (isLong || (style === "BLOCK_LITERAL" && !inFlow)) ways.push(...literal(value));
  if (style === "QUOTE_DOUBLE") ways.push(line(doubleQuoted(value)));
  if (style !== "QUOTE_SINGLE" && isPlain(value, inFlow)) ways.push(line(value));
  if (isPrintable(value)) ways.push(line(`'${value.replaceAll("'", "''")}'`));
  ways.push(line(doubleQuoted(value)));
  return ways;
}

const line = (inline: string): Written => ({ inline, below: [] });

const isPrintable = (value: string) => /^[\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]*$/.test(value);

/** JSON's quoting is YAML's, once the characters that YAML breaks lines at are written as escapes too. */
export function doubleQuoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Words that some reader of YAML takes for something other than text. */
const TAKEN = /^(?:~|null|true|false|yes|no|on|off|y|n|[-+]?\.(?:inf|nan)|<<|=)$/i;
const LIKE_NUMBER = /^[-+]?(?:\.?\d[\d_,.:]*(?:e[-+]?\d+)?|0[xob][\da-f_]+)$/i;
const LIKE_DATE = /^\d{4}-\d/;

/** True if a text needs no quotes. */
export function isPlain(value: string, inFlow: boolean): boolean {
  if (value === "" || value !== value.trim() || !isPrintable(value)) return false;
  if (TAKEN.test(value) || LIKE_NUMBER.test(value) || LIKE_DATE.test(value)) return false;
  if (/^[-?:](?:\s|$)|^[,[\]{}#&*!|>'"%@`]|^(?:---|\.\.\.)/.test(value)) return false;
  if (/:(?:\s|$)|\s#/.test(value)) return false;
  return !inFlow || !/[,[\]{}]|^[-?:]/.test(value);
}

function chomped(value: string): { text: string; chomp: string } {
  if (value.endsWith("\n\n") || value === "\n") return { text: value.slice(0, -1), chomp: "+" };
  return value.endsWith("\n") ? { text: value.slice(0, -1), chomp: "" } : { text: value, chomp: "-" };
}

/** The literal style; not available if the text's leading spaces would be read as indentation. */
function literal(value: string): Written[] {
  const { text, chomp } = chomped(value);
  if (
    /^[\n]*[ \t]/.test(text) ||
    text === "" ||
    !text.split("\n").every((one) => isPrintable(one.replaceAll("\t", " ")))
  )
    return [];
  return [{ inline: `|${chomp}`, below: text.split("\n") }];
}

/** A line break is written as an empty line: so folding finds nothing to join. */
function folded(value: string): Written[] {
  const { text, chomp } = chomped(value);
  if (/(?:^|\n)[ \t]/.test(text) || text === "" || !text.split("\n").every(isPrintable)) return [];
  return [{ inline: `>${chomp}`, below: text.replace(/\n+/g, (breaks) => `${breaks}\n`).split("\n") }];
}
