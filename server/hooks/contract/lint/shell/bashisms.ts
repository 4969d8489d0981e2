/** Finds constructs in a script's tree that only bash and related shells understand. */

import type { SyntaxNode } from "unbash";
import { truncateToLine } from "../../truncate-text.ts";
import type { Script, ShellCommand } from "./script.ts";

export interface Bashism {
  /** The source text, truncated for a message. */
  readonly written: string;
  /** The replacement for /bin/sh. */
  readonly instead: string;
}

/** The constructs that /bin/sh refuses or reads differently, one of each kind, in source order. */
export function bashismsOf(script: Script): readonly Bashism[] {
  const known = looked.get(script);
  if (known) return known;
  const all = constructs(script);
  looked.set(script, all);
  return all;
}

/** Results of cached scripts. */
const looked = new WeakMap<Script, readonly Bashism[]>();

function constructs(script: Script): Bashism[] {
  const found = new Map<string, Bashism>();
  const add = (written: string, instead: string) => {
    if (!found.has(instead)) found.set(instead, { written: truncateToLine(written, 41), instead });
  };
  for (const node of script.nodes) {
    const instead = nodeAdvice(node, script.text);
    if (instead) add(script.text.slice(node.pos, node.end), instead);
  }
  for (const command of script.commands) {
    const instead = commandAdvice(command);
    if (instead) add(script.text.slice(command.node.pos, command.node.end), instead);
  }
  for (const { shell, script: inner } of script.inner) {
    if (shell !== "sh" && shell !== "dash") continue;
    for (const one of bashismsOf(inner)) add(one.written, one.instead);
  }
  return [...found.values()];
}

const BY_TYPE: Partial<Record<SyntaxNode["type"], string>> = {
  TestCommand: "write [ … ], with = for ==, and case … in for patterns",
  ArithmeticCommand: "write [ $((…)) -ne 0 ], or x=$((x + 1))",
  ArithmeticFor: "write a while loop",
  Select: "no person can choose",
  Coproc: "use a pipe",
  HereString: 'write printf "%s\\n" "$text" | …',
  ProcessSubstitution: "use a pipe or a temporary file",
  ArrayValue: "use separate variables, or set -- a b c",
  AnsiCQuoted: "use printf for special characters",
  LocaleString: "use plain double quotes",
  BraceExpansion: "write the words out, or use seq",
  ExtendedGlob: "use case … in with plain patterns",
};

const SPECIAL = /^\$\{?(?:RANDOM|EUID|SECONDS|PIPESTATUS|FUNCNAME|HOSTNAME|BASH\w*)\b/;

function nodeAdvice(node: SyntaxNode, text: string): string | undefined {
  const byType = BY_TYPE[node.type];
  if (byType !== undefined) return byType;
  switch (node.type) {
    case "Function":
      return text.startsWith("function", node.pos) ? "write name() { …; }" : undefined;
    case "Pipeline":
      return node.operators.includes("|&") ? "write 2>&1 |" : undefined;
    case "Redirect":
      return isBashRedirect(node.operator, node.target?.value ?? "") ? "write > file 2>&1" : undefined;
    case "CaseItem":
      return node.terminator && node.terminator !== ";;" ? "end each case with ;;" : undefined;
    case "Assignment":
      return node.append || node.index ? 'write x="$x…"; there are no arrays' : undefined;
    case "SimpleExpansion":
      return SPECIAL.test(node.text) ? "this variable is empty in /bin/sh" : undefined;
    case "ParameterExpansion":
      if (SPECIAL.test(node.text)) return "this variable is empty in /bin/sh";
      if (node.prefix === "!" || node.index) return "there are no arrays and no indirect names";
      return node.operation && !PORTABLE.has(node.operation.type) ? "use sed, cut or tr" : undefined;
    default:
      return undefined;
  }
}

const PORTABLE = new Set(["Default", "Remove"]);

function isBashRedirect(operator: string, target: string): boolean {
  return operator.startsWith("&>") || (operator === ">&" && !/^(?:\d+|-)$/.test(target));
}

const COMMANDS: Readonly<Record<string, string>> = {
  source: "write . ./file",
  declare: "assign without declare",
  typeset: "assign without typeset",
  let: "write x=$((…))",
  shopt: "there are no shell options to switch",
  pushd: "use cd in a subshell: ( cd dir && … )",
  popd: "use cd in a subshell: ( cd dir && … )",
  mapfile: "use while read -r line",
  readarray: "use while read -r line",
};

function commandAdvice({ name, words }: ShellCommand): string | undefined {
  const known = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (known !== undefined) return known;
  if ((name === "[" || name === "test") && words.includes("==")) return "write = for == inside [ ]";
  if (name === "read" && words.some((word) => /^-\w*[adnNtspeu]/.test(word))) return "read takes only -r";
  if (name === "echo" && /^-\w*e/.test(words[0] ?? "")) return "use printf; echo prints -e";
  if (name === "set" && words.includes("pipefail")) return "pipefail is not known everywhere; check each command";
  if (name === "trap" && words.includes("ERR")) return "there is no ERR trap; use || or set -e";
  return undefined;
}
