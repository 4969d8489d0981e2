/** The commands of a command line, as far as they can be read. */
import type { Content, ShellWord } from "./word.ts";

/** The reasons for which a part of a call cannot be read beforehand. */
export const OPAQUE_KINDS = [
  /** The text that is run is known at run time only. */
  "unknown",
  /** Fetched and run in the same call. */
  "download",
  /** Decoded and run in the same call. */
  "encoded",
  /** Code in another language than the shell's. */
  "language",
  /** Syntax that the reader does not take. */
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
  /** `read`: `<`. `write`: everything that writes, empties or appends. */
  readonly access: "read" | "write";
  readonly target: ShellWord;
}

export interface ShellCommand {
  /** The program's name without folder and `.exe`, in lower case; "" when only a running shell knows it. */
  readonly program: string;
  /** The program's word. */
  readonly name: ShellWord;
  readonly args: readonly ShellWord[];
  /** Variables that are set for this command. */
  readonly assignments: readonly { readonly name: string; readonly value: ShellWord }[];
  readonly redirects: readonly ShellRedirect[];
  readonly stdin: Content;
  /** The working directory relative to the call's, or absolute; null when it is not known. */
  readonly directory: string | null;
  /** The place of the command that launches it in the list of commands. */
  readonly parent: number | null;
  /** As it is written, cut. */
  readonly source: string;
}

export interface ShellReading {
  readonly commands: readonly ShellCommand[];
  readonly opaque: readonly Opaque[];
}

/** A function that calls itself twice is in the list of commands under this name. */
export const FORK_BOMB = "fork bomb";
