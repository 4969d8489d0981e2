/** The known effect of a shell command: damage of a certain reach, reading and nothing else, or nothing known. */
import { commandMatch } from "./command-match.ts";
import { knownRead } from "./known-read.ts";
import { parseCommandLine } from "./parse.ts";
import { pickWorse } from "./severity.ts";
import type { ReadRow } from "./taxonomy/reads.ts";
import type { DestructiveRow } from "./taxonomy/row.ts";
import { TAXONOMY, type Taxonomy } from "./taxonomy/versions.ts";
import { textMatch } from "./text-match.ts";

export type ShellVerdict =
  | { readonly kind: "destructive"; readonly row: DestructiveRow }
  | { readonly kind: "read"; readonly row: ReadRow }
  | { readonly kind: "unknown" };

/**
 * The verdict over `command`. What its text says holds; what the shell would read (quotes gone, flags in any order,
 * commands inside commands) can only make it worse. A command that cannot be parsed is never a read.
 */
export function classifyCommand(command: string, taxonomy: Taxonomy = TAXONOMY): ShellVerdict {
  const { exact, worst } = textMatch(command, taxonomy);
  const reading = parseCommandLine(command);
  const inCommands = reading && commandMatch(reading.commands, taxonomy);
  let row = pickWorse(pickWorse(exact, worst), inCommands);
  // A blank written as the shell's variable for one.
  if (/\$\{?IFS/.test(command)) row = pickWorse(row, textMatch(command.replace(/\$\{?IFS\}?/g, " "), taxonomy).worst);
  if (row) return { kind: "destructive", row };
  const read = reading && !inCommands ? knownRead(command, reading, taxonomy) : null;
  return read ? { kind: "read", row: read } : { kind: "unknown" };
}
