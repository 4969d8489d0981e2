/** The words of a command line that consists of a single command. */
import { listCarriedCommands } from "./carried-commands.ts";
import { parseCommandLine } from "./parse.ts";

/** Another parser may read a line break or control character as the end of the command. */
const CONTROL = /\p{Cc}/u;

/** Programs of which only some subcommands run other commands; server/exceptions/prefix-programs.ts lists them. */
const DECIDED_BY_SUBCOMMAND: ReadonlySet<string> = new Set(["docker", "kubectl"]);

/** The words, if each one is literal and a shell would run only this command, which runs no other; else null. */
export function loneCommandWords(line: string): readonly string[] | null {
  if (CONTROL.test(line)) return null;
  const only = parseCommandLine(line)?.only ?? null;
  if (only === null || !only.isLiteral || only.words.length === 0) return null;
  const [name = ""] = only.words;
  const isCarrier =
    name.endsWith("find") || (!DECIDED_BY_SUBCOMMAND.has(name) && listCarriedCommands(only.words).length > 1);
  // The shell expands a tilde to a home folder, but the parser reports it as a literal.
  return isCarrier || only.words.some((word) => word === "" || word.startsWith("~")) ? null : only.words;
}
