import type { Tx } from "../../platform/db.ts";

declare const thawed: unique symbol;

/**
 * A transaction that may change what is in force: the workspace is not frozen and cannot be until it ends, or the
 * change is an emergency brake. Only policy-transaction.ts creates one, and repositories require it for such changes.
 */
export type InForceTx = Tx & { readonly [thawed]: true };
