/** Variables in a file of NAME=value, as clients read one from their own folder. */
import type { Edit } from "./json-values.ts";
import { marked, markedSettings, replaceLine } from "./marked-lines.ts";

export const envSettings = markedSettings(applyOne);

function applyOne(lines: string[], { path: [name = ""], value }: Edit): string[] {
  const line = `${name}=${JSON.stringify(value)}`;
  const present = lines.findLastIndex((one) => /^\s*(?:export\s+)?([\w.-]+)\s*=/.exec(one)?.[1] === name);
  return present === -1 ? [...lines, marked(line)] : replaceLine(lines, present, line);
}
