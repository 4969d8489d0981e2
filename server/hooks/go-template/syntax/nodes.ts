/** A template, parsed. Places are byte offsets into its text. */
import type { Bytes } from "./bytes.ts";
import type { NumberLiteral } from "./number.ts";

interface Placed {
  readonly at: number;
}

/** Part of a text that does something. */
export type Node =
  | (Placed & { readonly kind: "text"; readonly text: Bytes })
  | (Placed & { readonly kind: "action"; readonly pipe: Pipe })
  | (Placed & { readonly kind: "break" | "continue" })
  | Branch
  | (Placed & { readonly kind: "template"; readonly name: Bytes; readonly pipe: Pipe | undefined });

export interface Branch extends Placed {
  readonly kind: "if" | "range" | "with";
  readonly pipe: Pipe;
  readonly then: readonly Node[];
  readonly otherwise: readonly Node[] | undefined;
}

export interface Pipe extends Placed {
  readonly kind: "pipe";
  /** Variables that take its value, as `$name`. */
  readonly variables: readonly Bytes[];
  /** They exist already. */
  readonly assigns: boolean;
  readonly commands: readonly Command[];
}

export interface Command extends Placed {
  /** At least one; the first says what it does. */
  readonly args: readonly [Operand, ...Operand[]];
}

export type Operand =
  | (Placed & { readonly kind: "bool"; readonly value: boolean })
  | (Placed & { readonly kind: "dot" | "nil" })
  | (Placed & { readonly kind: "number"; readonly value: NumberLiteral })
  | (Placed & { readonly kind: "string"; readonly value: Bytes; readonly literal: Bytes })
  | (Placed & { readonly kind: "identifier"; readonly name: Bytes })
  | (Placed & { readonly kind: "field"; readonly names: readonly Bytes[] })
  | (Placed & { readonly kind: "variable"; readonly name: Bytes; readonly fields: readonly Bytes[] })
  | (Placed & { readonly kind: "chain"; readonly of: Operand; readonly fields: readonly Bytes[] })
  | Pipe;

/** A text with the templates it defines. */
export interface Template {
  readonly text: Bytes;
  readonly main: readonly Node[];
  readonly named: ReadonlyMap<Bytes, readonly Node[]>;
}
