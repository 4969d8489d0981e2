/** The commands of a command line, as far as they are readable. */
import type { Content, ShellWord } from "./word.ts";

/** The reasons why a part of a call cannot be read in advance. */
export const OPAQUE_KINDS = [
  /** The executed text is known only at run time. */
  "unknown",
  /** Fetched and run in the same call. */
  "download",
  /** Decoded and run in the same call. */
  "encoded",
  /** Code in a language other than the shell's. */
  "language",
  /** Syntax that the reader does not support. */
  "unreadable",
  /** Longer or deeper than the reader's limits. */
  "too_long",
  /** A name with characters that look like others or cannot be seen. */
  "misleading",
] as const;
export type OpaqueKind = (typeof OPAQUE_KINDS)[number];

export interface Opaque {
  readonly kind: OpaqueKind;
  /** A sentence for people. */
  readonly reason: string;
  /** As it is written, cut. */
  readonly source: string;
}

export interface ShellRedirect {
  /** `read`: `<`. `write`: any redirection that writes, empties or appends. */
  readonly access: "read" | "write";
  readonly target: ShellWord;
}

export interface ShellCommand {
  /** The program's name without folder and `.exe`, in lower case; "" if only a running shell knows it. */
  readonly program: string;
  /** The program's word. */
  readonly name: ShellWord;
  readonly args: readonly ShellWord[];
  /** Variables that are set for this command. */
  readonly assignments: readonly { readonly name: string; readonly value: ShellWord }[];
  readonly redirects: readonly ShellRedirect[];
  readonly stdin: Content;
  /** The working directory, absolute or relative to the call's; null if unknown. */
  readonly directory: string | null;
  /** The index of the launching command in the list of commands. */
  readonly parent: number | null;
  /** As it is written, cut. */
  readonly source: string;
}

export interface ShellReading {
  readonly commands: readonly ShellCommand[];
  readonly opaque: readonly Opaque[];
}

/** The name in the list of commands for a function that calls itself twice. */
export const FORK_BOMB = "fork bomb";
