/** A parsed template. Positions are byte offsets into its text. */
import type { Bytes } from "./bytes.ts";
import type { NumberLiteral } from "./number.ts";

interface Placed {
  readonly at: number;
}

/** A part of the text with an effect. */
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
  /** The variables that get its value, such as `$name`. */
  readonly variables: readonly Bytes[];
  /** They exist already. */
  readonly assigns: boolean;
  readonly commands: readonly Command[];
}

export interface Command extends Placed {
  /** At least one operand; the first is the function or value. */
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
