/**
 * For tests: hooks blocks in many styles. Independent of the form's own writer, so that an error in one is found by the
 * other.
 */
import fc from "fast-check";

export interface YamlStyle {
  readonly step: 2 | 3 | 4;
  /** True if lists start in their key's column; false if one level to the right. */
  readonly listsInline: boolean;
  readonly eol: "\n" | "\r\n";
  /** Comments and blank lines between everything. */
  readonly chatty: boolean;
  readonly quotes: "plain" | "single" | "double";
  readonly scripts: "|" | "|-" | ">-" | "|+" | "quoted";
  /** The depth from which everything is in flow style; 9 means never. */
  readonly flowFrom: number;
  readonly wrapped: boolean;
  readonly header: boolean;
}

export const yamlStyle: fc.Arbitrary<YamlStyle> = fc.record({
  step: fc.constantFrom(2, 3, 4),
  listsInline: fc.boolean(),
  eol: fc.constantFrom("\n", "\n", "\r\n"),
  chatty: fc.boolean(),
  quotes: fc.constantFrom("plain", "single", "double"),
  scripts: fc.constantFrom("|", "|-", ">-", "|+", "quoted"),
  flowFrom: fc.constantFrom(9, 9, 9, 1, 2, 3, 4, 5),
  wrapped: fc.boolean(),
  header: fc.boolean(),
});

export type Plain = string | number | boolean | readonly Plain[] | { readonly [key: string]: Plain };

/** The block in the given style. The style also decides a script's line ends: the text is the truth, not the value. */
export function written(hooks: { readonly [key: string]: Plain }, by: YamlStyle): string {
  let comments = 0;
  const chat = (column: number): string[] =>
    by.chatty ? ["", `${" ".repeat(column)}# remark ${comments++}, with a "quote" and - a dash: too`] : [];
  const note = () => (by.chatty ? ` # note ${comments++}` : "");

  function scalar(value: string | number | boolean, column: number): string[] {
    if (typeof value !== "string") return [String(value) + note()];
    const isScript = value.includes("\n");
    if (isScript && by.scripts !== "quoted" && !/^\s|[^\S\n]$/m.test(value.split("\n")[0] ?? "")) {
      const body = value.replace(/\n+$/, "").split("\n");
      const lines = by.scripts === ">-" ? body.flatMap((line, at) => (at > 0 ? ["", line] : [line])) : body;
      return [by.scripts + note(), ...lines.map((line) => (line === "" ? "" : " ".repeat(column + by.step) + line))];
    }
    return [inline(value) + note()];
  }
  function inline(value: Plain): string {
    if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
    if (typeof value === "object")
      return `{ ${Object.entries(value)
        .map(([key, of]) => `${key}: ${inline(of)}`)
        .join(", ")} }`;
    if (typeof value !== "string") return String(value);
    if (
      by.quotes === "plain" &&
      /^[a-z][a-z ./_-]*[a-z]$/.test(value) &&
      !/^(true|false|null|yes|no|on|off)$/.test(value)
    )
      return value;
    return by.quotes === "single" && !/[\n\r\t]/.test(value)
      ? `'${value.replaceAll("'", "''")}'`
      : JSON.stringify(value);
  }
  function mapping(fields: { readonly [key: string]: Plain }, column: number, depth: number): string[] {
    return Object.entries(fields).flatMap(([key, value]) => [...chat(column), ...pair(key, value, column, depth)]);
  }
  function pair(key: string, value: Plain, column: number, depth: number): string[] {
    const lead = `${" ".repeat(column)}${key}:`;
    if (typeof value !== "object") {
      const [first = "", ...below] = scalar(value, column);
      return [`${lead} ${first}`, ...below];
    }
    if (depth >= by.flowFrom || Object.keys(value).length === 0) return [`${lead} ${inline(value)}${note()}`];
    if (!Array.isArray(value))
      return [lead + note(), ...mapping(value as { [key: string]: Plain }, column + by.step, depth + 1)]; // no list: a mapping
    const at = by.listsInline ? column : column + by.step;
    return [lead + note(), ...value.flatMap((item: Plain) => [...chat(at), ...listed(item, at, depth + 1)])];
  }
  function listed(item: Plain, column: number, depth: number): string[] {
    const dash = `${" ".repeat(column)}- `;
    if (typeof item !== "object") {
      const [first = "", ...below] = scalar(item, column);
      return [dash + first, ...below];
    }
    if (depth >= by.flowFrom || Array.isArray(item)) return [dash + inline(item) + note()];
    const lines = Object.entries(item).flatMap(([key, value], at) => [
      ...(at > 0 ? chat(column + 2) : []),
      ...pair(key, value, column + 2, depth + 1),
    ]);
    return lines.map((line, at) => (at === 0 ? dash + line.trimStart() : line));
  }

  const lines = by.wrapped ? pair("hooks", hooks, 0, 0) : mapping(hooks, 0, 1);
  const head = by.header ? ["# What this policy is for", "#   and why", ""] : [];
  return [...head, ...lines, ""].join(by.eol);
}

const word = fc.constantFrom(
  "gate",
  "no recursive delete",
  "it's here",
  "a: b",
  "# not a comment",
  "- dash",
  "yes",
  "12",
  "ünï çødé",
  "{brace}",
  "a, b",
  "x #y",
  "\\d+\\.",
  '"quoted"',
);
const script = fc.constantFrom(
  "echo one\necho two\n",
  'if true; then\n  echo "x" >&2\n  exit 2\nfi\n',
  "a\n\nb\n",
  "# a comment inside\necho\n",
  "cat\nx",
);
const text = fc.oneof(word, script);

const hook: fc.Arbitrary<Plain> = fc.record(
  {
    name: word,
    type: fc.constantFrom("command", "builtin", "model"),
    command: text,
    args: fc.array(word, { minLength: 1, maxLength: 3 }),
    timeout: fc.integer({ min: 1, max: 600 }),
    env: fc.dictionary(fc.constantFrom("A", "TOKEN", "PATH"), word, { minKeys: 1 }),
    on_error: fc.constantFrom("warn", "ignore", "block"),
    prompt: script,
  },
  { requiredKeys: ["type"] },
) as fc.Arbitrary<Plain>; // record() leaves optional keys out; it never writes undefined

const entry: fc.Arbitrary<Plain> = fc.record(
  {
    matcher: fc.constantFrom("shell", "*", "mcp__.*", "edit|write"),
    preempt_yolo: fc.boolean(),
    hooks: fc.array(hook, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ["hooks"] },
) as fc.Arbitrary<Plain>; // the same

/** Hooks blocks with one event at least. */
export const hooksBlock: fc.Arbitrary<{ [key: string]: Plain }> = fc
  .record(
    {
      pre_tool_use: fc.array(entry, { minLength: 1, maxLength: 3 }),
      stop: fc.array(hook, { minLength: 1, maxLength: 3 }),
      post_tool_use: fc.array(entry, { minLength: 1, maxLength: 2 }),
      turn_start: fc.array(hook, { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  .filter((block) => Object.keys(block).length > 0) as fc.Arbitrary<{ [key: string]: Plain }>; // the same
