/** Variables in a file of NAME=value, as clients read one from their own folder. */
import { parseEnv } from "node:util";
import type { Edit } from "./json-values.ts";
import { plain } from "./json-values.ts";
import { marked, replaceLine, withLines, withoutMarked } from "./marked-lines.ts";
import type { SettingsText } from "./settings-text.ts";

export const envSettings: SettingsText = {
  parse: (text) => plain(parseEnv(text)) as ReturnType<SettingsText["parse"]>, // an object of texts
  apply: (text, edits) => withLines(text, (lines) => edits.reduce(applyOne, lines)),
  undo: (text) => withLines(text, withoutMarked),
};

function applyOne(lines: string[], { path: [name = ""], value }: Edit): string[] {
  const line = `${name}=${JSON.stringify(value)}`;
  const present = lines.findLastIndex((one) => /^\s*(?:export\s+)?([\w.-]+)\s*=/.exec(one)?.[1] === name);
  return present === -1 ? [...lines, marked(line)] : replaceLine(lines, present, line);
}
