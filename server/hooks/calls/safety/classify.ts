/** The known effect of a shell command: damage with a radius, reading only, or unknown. */
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
 * The verdict on `command`. The verdict from the plain text is the minimum. The parsed form (quotes removed, flags in any order,
 * nested commands) can only make it worse. A command that cannot be parsed is never a read.
 */
export function classifyCommand(command: string, taxonomy: Taxonomy = TAXONOMY): ShellVerdict {
  const { exact, worst } = textMatch(command, taxonomy);
  const reading = parseCommandLine(command);
  const inCommands = reading && commandMatch(reading.commands, taxonomy);
  let row = pickWorse(pickWorse(exact, worst), inCommands);
  // `$IFS` can replace a blank.
  if (/\$\{?IFS/.test(command)) row = pickWorse(row, textMatch(command.replace(/\$\{?IFS\}?/g, " "), taxonomy).worst);
  if (row) return { kind: "destructive", row };
  const read = reading && !inCommands ? knownRead(command, reading, taxonomy) : null;
  return read ? { kind: "read", row: read } : { kind: "unknown" };
}
