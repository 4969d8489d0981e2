/** The programs that a hook's script names, to be searched for in the hook's sandbox. */
import { INTERPRETERS, interpreterOf } from "../../../calls/shell/launchers.ts";
import { readScript } from "../../../calls/shell/read-script.ts";
import { FORK_BOMB, type ShellCommand } from "../../../calls/shell/shell-reading.ts";
import { type Script, scriptOf } from "./script.ts";

export interface NamedPrograms {
  /** Each program once, as written: by name or by path. Builtins, keywords and functions of the script are excluded. */
  readonly programs: readonly string[];
  /** The programs whose presence the script itself checks, so it can work without them. */
  readonly optional: ReadonlySet<string>;
  /** The parts whose programs cannot be known, with the reason. */
  readonly unread: readonly string[];
}

const PROGRAMS_MAX = 200;
const UNREAD_MAX = 10;

/** Builtins of the POSIX shell and of bash, and words that a parser may leave in a command's position. */
const BUILTINS: ReadonlySet<string> = new Set(
  `. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit export
  false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt
  source suspend test times trap true type typeset ulimit umask unalias unset wait [[ { } ! time coproc function noglob nocorrect -`.split(
    /\s+/,
  ),
);
/** Programs whose arguments run on another machine, in another root or from a package. */
const ELSEWHERE =
  /^(?:ssh|docker|podman|nerdctl|kubectl|oc|chroot|nsenter|vagrant|wsl|flatpak|lxc|npx|pnpx|bunx|uvx|pipx|npm|pnpm|yarn)$/;
/** Commands that look up a program and run nothing. */
const LOOKS = /^(?:command|type|which|hash|whereis)$/;

export function namedPrograms(text: string): NamedPrograms {
  const { commands, opaque } = readScript(text);
  const script = scriptOf(text);
  const functions = new Set(script ? functionNames(script) : []);
  const programs = new Set<string>();
  const optional = new Set<string>();
  const unread = opaque.map(({ reason, source }) => `${reason} ${source}`.trim());
  for (const command of commands) {
    if (looksFor(command)) for (const { values } of command.args) optional.add(values[0]);
    if (!runsHere(command, commands)) continue;
    for (const name of command.name.values) {
      const isWord = name !== "" && name !== FORK_BOMB && !BUILTINS.has(name) && !functions.has(name);
      if (!isWord || /[\n=]/.test(name) || name.startsWith("-")) continue;
      if (name.startsWith("~")) unread.push(`The home of a hook is a folder of its own. ${name}`);
      else programs.add(name);
    }
  }
  if (programs.size > PROGRAMS_MAX) unread.push(`It names more than ${PROGRAMS_MAX} programs.`);
  return {
    programs: [...programs].slice(0, PROGRAMS_MAX),
    optional,
    unread: [...new Set(unread)].slice(0, UNREAD_MAX),
  };
}

const looksFor = ({ program, args }: ShellCommand): boolean =>
  LOOKS.test(program) && (program !== "command" || /^-[pvV]+$/.test(args[0]?.values[0] ?? ""));

/** False for a command that another one runs elsewhere, and for words in another language's code. */
function runsHere(command: ShellCommand, commands: readonly ShellCommand[]): boolean {
  let { parent } = command;
  for (let above = parent === null ? undefined : commands[parent]; above; ) {
    if (ELSEWHERE.test(above.program) || looksFor(above)) return false;
    if (Object.hasOwn(INTERPRETERS, interpreterOf(above.program))) return false;
    parent = above.parent;
    above = parent === null ? undefined : commands[parent];
  }
  return true;
}

function functionNames({ nodes, inner }: Script): string[] {
  const own = nodes.flatMap((node) => (node.type === "Function" ? [node.name.value] : []));
  return [...own, ...inner.flatMap(({ script }) => functionNames(script))];
}
