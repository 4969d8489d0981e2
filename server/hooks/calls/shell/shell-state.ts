/** The state of a shell during the reading of its script, and the commands to read in it. Pure. */
import type { SyntaxNode } from "unbash";
import { resolvePath } from "./directory.ts";
import type { OpaqueKind, ShellCommand, ShellRedirect } from "./shell-reading.ts";
import { Variables } from "./variables.ts";
import type { Content, ShellWord } from "./word.ts";

export const SOURCE_MAX = 200;

export const NOTHING: Content = { kind: "none" };
export const UNKNOWN: Content = { kind: "unknown" };

/** State of one shell: a subshell has a copy. */
export interface Shell {
  readonly variables: Variables;
  /** Content of the files that the script has written, by path. A script that is written and then run is also read. */
  readonly files: Map<string, Content>;
  /** Functions and aliases by name. Their calls are read with their arguments. */
  readonly functions: Map<string, Named>;
  directory: string | null;
}

/** A function's body, or an alias' text. */
export type Named = { readonly body: SyntaxNode } | { readonly text: string };

export const newShell = (): Shell => ({
  variables: new Variables(),
  files: new Map(),
  functions: new Map(),
  directory: ".",
});

/** The shell with these words as `$1`, `$2` and `$@`. */
export function withArguments(shell: Shell, words: readonly ShellWord[]): Shell {
  const copy = copyOf(shell);
  for (const [index, { values, isKnown }] of words.slice(0, ARGUMENTS_MAX).entries())
    copy.variables.set(String(index + 1), { texts: values, isKnown });
  const isKnown = words.every((word) => word.isKnown && word.values.length === 1);
  const all = { texts: [words.map(({ values: [value] }) => value).join(" ")], isKnown };
  copy.variables.set("@", all);
  copy.variables.set("*", all);
  return copy;
}

const ARGUMENTS_MAX = 64;

export interface Run {
  readonly words: readonly ShellWord[];
  readonly assignments: ShellCommand["assignments"];
  readonly redirects: readonly ShellRedirect[];
  readonly stdin: Content;
  readonly parent: number | null;
  readonly depth: number;
}

export interface CommandPosition {
  readonly parent: number | null;
  readonly depth: number;
}

export const kindOf = (content: Content | undefined): OpaqueKind =>
  content?.kind === "download" || content?.kind === "encoded" ? content.kind : "unknown";

export const bare = (redirects: readonly ShellRedirect[], place: CommandPosition): Run => ({
  ...{ words: [], assignments: [], redirects, stdin: NOTHING },
  ...place,
});

export const fileKey = ({ directory }: Shell, path: string): string => resolvePath(directory, path) ?? path;

export const copyOf = ({ variables, files, functions, directory }: Shell): Shell => ({
  variables: variables.copy(),
  files,
  functions,
  directory,
});

export const sourceOf = (words: readonly ShellWord[]): string =>
  words
    .map(({ source }) => source)
    .join(" ")
    .slice(0, SOURCE_MAX);

/** `/bin/RM.exe` is `rm`. */
export const programOf = (text: string): string => {
  const base = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1).toLowerCase();
  return base.includes(".") ? base.replace(/\.(?:exe|cmd|bat|com)$/, "") : base;
};
