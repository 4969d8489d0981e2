import type { InForceTx } from "../publishing/in-force.ts";

declare const permitted: unique symbol;

/** A transaction in which what binds agents may change. Only the gate (gate.ts) makes one. */
export type BindingTx = InForceTx & { readonly [permitted]: true };
