/** The words of a command line that is one command and nothing else. */
import { listCarriedCommands } from "./carried-commands.ts";
import { parseCommandLine } from "./parse.ts";

/** A line break or another control character can be read as the end of the command by somebody else. */
const CONTROL = /\p{Cc}/u;

/** Some of their subcommands run other commands, and some do not: server/exceptions/prefix-programs.ts knows which. */
const DECIDED_BY_SUBCOMMAND: ReadonlySet<string> = new Set(["docker", "kubectl"]);

/** Null unless every word is what is written there, and a shell would run just this command, which is known to run no other. */
export function loneCommandWords(line: string): readonly string[] | null {
  if (CONTROL.test(line)) return null;
  const only = parseCommandLine(line)?.only ?? null;
  if (only === null || !only.isLiteral || only.words.length === 0) return null;
  const [name = ""] = only.words;
  const isCarrier =
    name.endsWith("find") || (!DECIDED_BY_SUBCOMMAND.has(name) && listCarriedCommands(only.words).length > 1);
  // A tilde stands for a home folder, and is no part that the parser tells apart.
  return isCarrier || only.words.some((word) => word === "" || word.startsWith("~")) ? null : only.words;
}
