/**
 * Shell code that converts the policy's input to a client's format, which the client's script reads on stdin. An awk program
 * tracks the depth of the JSON, so only the fields of the input itself change, never an argument of the tool.
 */

/** The form in which a client sends a tool's result. */
export type ResponseShape = "claude" | "codex" | "copilot" | "text";

export interface ClientFields {
  /** The client's name for each input field that has another name there. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Fields below `ext` that the client sends at the top level, by their names there. */
  readonly raised: Readonly<Record<string, string>>;
  /** Fields that the client also sends under a second name. */
  readonly repeated?: Readonly<Record<string, string>>;
  /** Fields that the client also sends as the only item of a list. */
  readonly listed?: Readonly<Record<string, string>>;
  /** The client's own values of a field. */
  readonly valued?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly response: ResponseShape;
}

/** Shell lines that set `$input` to the client's input. They run `failed` if that is not possible. */
export function clientInput(clientEvent: string, fields: ClientFields, failed: string): string[] {
  return [
    // JSON never contains these raw characters. They replace an escaped backslash, an escaped quote, and a backslash.
    "b=$(printf '\\001') q=$(printf '\\002') s=$(printf '\\003')",
    `input=$(LC_ALL=C sed -e 's/\\\\\\\\/'"$b"'/g' -e 's/\\\\"/'"$q"'/g' | LC_ALL=C awk '`,
    ...program(clientEvent, fields),
    `' | LC_ALL=C sed -e 's/'"$q"'/\\\\"/g' -e 's/'"$b"'/\\\\\\\\/g' -e 's/'"$s"'/\\\\/g')`,
    `[ -n "$input" ] || ${failed}`,
  ];
}

/** Every second record is a string, because a string contains no quote at this point. A string before a colon is a key. */
function program(clientEvent: string, fields: ClientFields): string[] {
  const { renamed, raised, repeated = {}, listed = {}, valued = {}, response } = fields;
  const values = Object.entries(valued).flatMap(([field, words]) =>
    Object.entries(words).map(([word, own]) => [`${field} ${word}`, own] as const),
  );
  const tables = [
    table("R", renamed),
    table("L", raised),
    table("C", repeated),
    table("W", listed),
    table("V", Object.fromEntries(values)),
  ];
  return [
    `BEGIN { RS = "\\""; ORS = ""${tables.join("")} }`,
    "NR % 2 == 0 { text = $0; held = 1; next }",
    '{ piece = $0; gsub(/[\\r\\n]/, "", piece)',
    "  if (held) {",
    "    if (piece ~ /^:/) { key = text; if (depth == 1) { top = key; if (key in R) text = R[key]; seen[text] = 1 } put(quoted(text)) }",
    '    else if (before == ":") value()',
    "    else put(quoted(text))",
    "  }",
    '  held = 0; before = piece; put(piece); t = piece; depth += gsub(/[{[]/, "", t); depth -= gsub(/[]}]/, "", t) }',
    // The last piece is printed at the end, because more fields are inserted before its brace.
    "function put(more) { print last; last = more }",
    'function quoted(x) { return "\\"" x "\\"" }',
    "function value(  x) {",
    `  if (depth == 1 && top == "hook_event_name") text = "${clientEvent}"`,
    '  if (depth == 1 && (top " " text) in V) text = V[top " " text]',
    '  if (depth == 1 && top == "tool_name") tool = text',
    '  if (depth == 2 && top == "tool_input" && key == "file_path") path = text',
    '  if (depth == 2 && top == "ext" && key in L) more[L[key]] = quoted(text)',
    "  if (depth == 1 && top in C) more[C[top]] = quoted(text)",
    '  if (depth == 1 && top in W) more[W[top]] = "[" quoted(text) "]"',
    '  if (depth == 1 && top == "tool_response") put(response(text)); else put(quoted(text))',
    "}",
    ...RESPONSE[response],
    'END { sub(/}[ ]*$/, "", last); print last; for (k in more) if (!(k in seen)) print "," quoted(k) ":" more[k]; print "}" }',
  ];
}

const table = (name: string, entries: Readonly<Record<string, string>>): string =>
  Object.entries(entries)
    .map(([key, value]) => `; ${name}["${key}"] = "${value}"`)
    .join("");

/** Turns a string with the JSON of an object or a list back into that value. */
const OBJECT_OR_TEXT =
  'if (x ~ /^\\{(\\002.*)?\\}$/ || x ~ /^\\[([{\\002].*)?\\]$/) { gsub(/\\002/, "\\"", x); gsub(/\\001/, "\\003", x); return x } return quoted(x)';
const BLOCKS = '"[{\\"type\\":\\"text\\",\\"text\\":" quoted(x) "}]"';

const RESPONSE: Readonly<Record<ResponseShape, readonly string[]>> = {
  claude: [
    "function response(x) {",
    '  if (tool ~ /^(Bash|PowerShell|Monitor)$/) return "{\\"stdout\\":" quoted(x) ",\\"stderr\\":\\"\\",\\"interrupted\\":false,\\"isImage\\":false}"',
    '  if (tool == "Read") return "{\\"type\\":\\"text\\",\\"file\\":{\\"filePath\\":" quoted(path) ",\\"content\\":" quoted(x) "}}"',
    '  if (tool == "WebFetch") return "{\\"result\\":" quoted(x) "}"',
    `  if (tool ~ /^(Task|Agent)$/) return "{\\"content\\":" ${BLOCKS} "}"`,
    `  if (tool ~ /^mcp__/) return ${BLOCKS}`,
    `  ${OBJECT_OR_TEXT}`,
    "}",
  ],
  codex: [
    "function response(x) {",
    `  if (tool ~ /^mcp__/) return "{\\"content\\":" ${BLOCKS} "}"`,
    "  return quoted(x)",
    "}",
  ],
  copilot: [
    "function response(x) {",
    '  return "{\\"result_type\\":\\"success\\",\\"text_result_for_llm\\":" quoted(x) "}"',
    "}",
  ],
  text: ["function response(x) { return quoted(x) }"],
};
