/** The facts about a program that command readers use, and the names of flags that many programs share. */
import type { PathAccess } from "../path-class-names.ts";

export interface Program {
  /** Short options that take a value, as letters. */
  readonly short?: string;
  /** Long options that take a value, without hyphens, separated by blanks. */
  readonly long?: string;
  /** Flags by meaning: every way to write one. */
  readonly flags?: Readonly<Record<string, string>>;
  /** The access to the files among the operands. `copy` reads all and writes the last; `move` deletes them. */
  readonly operands?: PathAccess | "copy" | "move" | "link" | "none" | "pattern" | "assignments" | "remote";
  /** Options whose value is a file. */
  readonly files?: Readonly<Record<string, PathAccess>>;
  /** Flags that make the program write the files among its operands. */
  readonly writesWith?: string;
  /** The first word may be options without a hyphen, as in `tar xf`. */
  readonly hasBareOptions?: true;
  /** The first operand selects the action; each action may have its own options. */
  readonly subcommands?: Readonly<Record<string, Program>>;
  /** Other names of subcommands. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Operands or options are addresses. */
  readonly isNetwork?: true;
}

export const RECURSIVE = "-r -R --recursive";
export const FORCE = "-f --force";
export const READ: Program = { operands: "read" };
export const WRITE: Program = { operands: "write" };
