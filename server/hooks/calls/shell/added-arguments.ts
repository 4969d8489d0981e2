/** Arguments that `xargs` takes from its input. Pure. */
import { type Content, constantWord, type ShellWord, wordsFrom } from "./word.ts";

/** The words of the `xargs` command, with its input inserted. */
export function withInput(
  words: readonly ShellWord[],
  input: "behind" | { readonly inPlaceOf: string },
  stdin: Content,
): readonly ShellWord[] {
  const added = argumentsFrom(stdin);
  if (input === "behind") return [...words, ...added];
  const text =
    added.length > 0 && added.every(({ isKnown }) => isKnown) ? added.map(({ script }) => script).join(" ") : null;
  return words.map((word) => {
    if (!word.script.includes(input.inPlaceOf)) return word;
    const filled = (value: string) => value.replaceAll(input.inPlaceOf, text ?? "");
    const values = word.values.map(filled) as [string, ...string[]]; // holds: as many as before
    const script = word.script.replaceAll(input.inPlaceOf, text ?? "$1");
    return {
      ...word,
      values,
      script,
      isKnown: word.isKnown && text !== null,
      prefix: word.prefix.split(input.inPlaceOf)[0] ?? "",
    };
  });
}

/** The limit of arguments. More are not read, and the call reports this. */
export const ARGUMENTS_MAX = 2_000;
/** The arguments that `xargs` adds: the words of a constant input, else one unknown word. */
function argumentsFrom(stdin: Content): ShellWord[] {
  if (stdin.kind !== "text") return wordsFrom("(input)", [{ texts: [""], isKnown: false, isQuoted: true, source: "" }]);
  return stdin.text
    .split(/[\s\0]+/)
    .filter((text) => text !== "")
    .slice(0, ARGUMENTS_MAX)
    .map((text) => constantWord(text));
}
