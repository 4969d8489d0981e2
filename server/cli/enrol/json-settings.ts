/** Settings in JSON: edits that leave every other character as it is, comments and indentation included. */
import { applyEdits, findNodeAtLocation, modify, parseTree } from "jsonc-parser";
import type { Edit, Path, SettingsText } from "./json-values.ts";

const apply = (text: string, edits: readonly Edit[]) => edits.reduce(applyOne, text);
export const jsonSettings: SettingsText = { apply, undo: apply };

function applyOne(text: string, { path, value, isInsertion = false }: Edit): string {
  if (value === undefined && typeof path.at(-1) === "number") return removeElement(text, path);
  // Nothing is laid out anew around a removal: the package's layout would lose commas there.
  const layout = value === undefined ? {} : { formattingOptions: formattingOf(text) };
  return applyEdits(text, modify(text, [...path], value, { isArrayInsertion: isInsertion, ...layout }));
}

/** The package counts on white space before the end of a list, which need not be there. */
function removeElement(text: string, path: Path): string {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const node = tree && findNodeAtLocation(tree, [...path]);
  const elements = node?.parent?.children ?? [];
  if (node === undefined) return text;
  const at = elements.indexOf(node);
  const [previous, next] = [elements[at - 1], elements[at + 1]];
  const end = node.offset + node.length;
  if (next !== undefined) return text.slice(0, node.offset) + text.slice(next.offset);
  return text.slice(0, previous === undefined ? node.offset : previous.offset + previous.length) + text.slice(end);
}

/** The indentation and the ends of lines that the file has already. */
function formattingOf(text: string) {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return { insertSpaces: !indent.startsWith("\t"), tabSize: indent.length, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}
