/** The known effect of a shell command: damage of a certain reach, reading and nothing else, or nothing known. */
import { commandMatch } from "./command-match.ts";
import { isKnownRead } from "./known-read.ts";
import { parseCommandLine } from "./parse.ts";
import { pickWorse } from "./severity.ts";
import type { DestructiveRow } from "./taxonomy/row.ts";
import { textMatch } from "./text-match.ts";

export type ShellVerdict =
  | { readonly kind: "destructive"; readonly row: DestructiveRow }
  | { readonly kind: "read" }
  | { readonly kind: "unknown" };

/**
 * The verdict over `command`. What its text says holds; what the shell would read (quotes gone, flags in any order,
 * commands inside commands) can only make it worse. A command that cannot be parsed is never a read.
 */
export function classifyCommand(command: string): ShellVerdict {
  const { exact, worst } = textMatch(command);
  const reading = parseCommandLine(command);
  const inCommands = reading && commandMatch(reading.commands);
  let row = pickWorse(pickWorse(exact, worst), inCommands);
  // A blank written as the shell's variable for one.
  if (/\$\{?IFS/.test(command)) row = pickWorse(row, textMatch(command.replace(/\$\{?IFS\}?/g, " ")).worst);
  if (row) return { kind: "destructive", row };
  return reading && !inCommands && isKnownRead(command, reading) ? { kind: "read" } : { kind: "unknown" };
}
