/** Converts the YAML parser's messages to sentences that name the fix. */

/** Prefixes of the parser's messages, with their replacements. The rest of a message is kept. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  // The parser recurses into nested values until its stack overflows.
  [/^Maximum call stack size/, "Nested deeper than 64 levels."],
  [/^Tabs are not allowed/, "A tab stands where blanks belong. Indent with blanks."],
  [/^Flow (?:sequence|map).*end with a ([\]}])/, "The closing $1 is missing here, or stands too far left."],
  [/^All (?:mapping|sequence) items must start/, "This line is indented otherwise than its neighbours. Align them."],
  [/^Sequence item without - indicator/, "This line is indented otherwise than its neighbours. Align them."],
  [
    /^Nested mappings are not allowed/,
    "A second colon on one line. Quote the value, or put the inner key on its own line.",
  ],
  [
    /^Implicit keys need to be on a single line/,
    "A key must stand on one line. Quote the value above, or add the missing colon.",
  ],
  [/^Implicit map keys need to be followed/, "The colon after this key is missing."],
  [/^Missing closing (.)quote/, "The closing quote $1 is missing."],
  [/^Missing closing "quote/, 'The closing quote " is missing.'],
  [/^Invalid escape sequence (.+)$/, "$1 means nothing in double quotes. Write two backslashes, or use single quotes."],
  [/^Plain value cannot start with .* character (.)$/, "A value cannot start with $1. Put it in quotes."],
  [
    /^Source contains multiple documents/,
    "A policy is one document; there are several documents here. Remove the line ---.",
  ],
  [/^Unexpected scalar at node end/, "This stands where nothing more is expected. Check the indentation."],
  [/^Unexpected .* in YAML stream/, "This stands where nothing more is expected. Check the indentation."],
];

/** The message as a sentence; the parser's own if there is no replacement. */
export function yamlErrorText({ message }: { readonly message: string }): string {
  for (const [pattern, words] of WORDS) {
    const found = pattern.exec(message);
    if (found) return words.replace("$1", () => found[1] ?? "");
  }
  return message;
}
