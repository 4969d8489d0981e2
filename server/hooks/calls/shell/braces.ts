/** Brace expansion as in bash: lists and ranges, nested, in order. Pure. */

const WORDS_MAX = 2_000;
const RANGE = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/;

/** The expansions of `text`; null if there are too many. A text without a list or a range expands to itself. */
export function expandBraces(text: string): string[] | null {
  const group = findGroup(text);
  if (!group) return [text];
  const { start, end, items } = group;
  const inner = items.flatMap((item) => expandBraces(item) ?? [null]);
  const rest = expandBraces(text.slice(end));
  if (rest === null || inner.length * rest.length > WORDS_MAX) return null;
  const words: string[] = [];
  for (const item of inner) {
    if (item === null) return null;
    for (const tail of rest) words.push(text.slice(0, start) + item + tail);
  }
  return words;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly items: readonly string[];
}

/** The first group that is a list or a range. */
function findGroup(text: string): Group | null {
  const marks = marksOf(text);
  for (const { at, char } of marks) {
    if (char !== "{") continue;
    const end = closingOf(marks, at);
    if (end === -1) continue;
    const items = split(text, marks, at, end);
    const listed = items.length > 1 ? items : rangeOf(text.slice(at + 1, end));
    if (listed) return { start: at, end: end + 1, items: listed };
  }
  return null;
}

interface Mark {
  readonly at: number;
  readonly char: string;
}

/** The unquoted braces and commas of a text; those of `${...}` belong to a parameter. */
function marksOf(text: string): Mark[] {
  const marks: Mark[] = [];
  let quote = "";
  let parameters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === "\\" && quote !== "'") at += 1;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"' || char === "`") quote = char;
    else if (char === "$" && text[at + 1] === "{") {
      parameters += 1;
      at += 1;
    } else if (char === "}" && parameters > 0) parameters -= 1;
    else if (parameters === 0 && (char === "{" || char === "}" || char === ",")) marks.push({ at, char });
  }
  return marks;
}

function closingOf(marks: readonly Mark[], start: number): number {
  let depth = 0;
  for (const { at, char } of marks) {
    if (at < start) continue;
    if (char === "{") depth += 1;
    if (char === "}" && --depth === 0) return at;
  }
  return -1;
}

function split(text: string, marks: readonly Mark[], start: number, end: number): string[] {
  const items: string[] = [];
  let [depth, from] = [0, start + 1];
  for (const { at, char } of marks) {
    if (at <= start || at > end) continue;
    if (char === "{") depth += 1;
    if (char === "}") depth -= 1;
    if ((char === "," && depth === 0) || at === end) {
      items.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return items;
}

function rangeOf(body: string): string[] | null {
  const [, from = "", to = "", by = "1"] = RANGE.exec(body) ?? [];
  if (from === "") return null;
  const isLetters = /[A-Za-z]/.test(from) && /[A-Za-z]/.test(to);
  const [first, last] = isLetters ? [from.charCodeAt(0), to.charCodeAt(0)] : [Number(from), Number(to)];
  if (Number.isNaN(first) || Number.isNaN(last)) return null;
  const step = Math.max(1, Math.abs(Number(by)));
  const count = Math.floor(Math.abs(last - first) / step) + 1;
  if (count > WORDS_MAX) return null;
  return Array.from({ length: count }, (_, index) => {
    const at = first + (last < first ? -step : step) * index;
    return isLetters ? String.fromCharCode(at) : String(at);
  });
}
