import type { Tx } from "../../platform/db.ts";

declare const thawed: unique symbol;

/**
 * A transaction in which what is in force may change: the workspace is not frozen and cannot be until it ends, or the change
 * is an emergency brake. Only policy-transaction.ts makes one, and repositories take no other for such changes.
 */
export type InForceTx = Tx & { readonly [thawed]: true };
