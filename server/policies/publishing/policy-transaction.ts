import type { Administrator } from "../../access/actor.ts";
import { AppError } from "../../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../../events/index.ts";
import type { Database, Tx } from "../../platform/db.ts";
import { type ActiveFreeze, findFreezeForShare, findFreezeForUpdate } from "./active-freeze.ts";
import { freezeEndText } from "./freeze-window-schema.ts";
import type { InForceTx } from "./in-force.ts";
import { findRequirements } from "./requirements-repository.ts";
import { raiseSequence } from "./sequence.ts";

/** The topics of everything that shows the state in force. */
const TOPICS = ["policies", "agents", "rules"] as const;

/**
 * Runs a change and notifies plans and viewers: on other nodes through its own transaction, on this node right after
 * it.
 */
export function policyTransaction<T>(
  db: Database,
  bus: Bus,
  actor: Pick<Administrator, "workspaceId">,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return announcedTransaction({ db, bus }, actor.workspaceId, TOPICS, work);
}

/**
 * The same for a change of the text in force or of the agents it binds. `isBrake` permits the change in a freeze:
 * withdrawing a harmful policy must always be possible.
 *
 * Errors: `workspace_frozen`, without a change.
 */
export function activePolicyTransaction<T>(
  db: Database,
  bus: Bus,
  actor: Administrator,
  work: (tx: InForceTx) => Promise<T>,
  { isBrake = false }: { isBrake?: boolean } = {},
): Promise<T> {
  return policyTransaction(db, bus, actor, async (tx) => {
    const { setBy } = await findRequirements(tx, actor.workspaceId);
    // A backtest compares with what is in force, so no other change may come between its check and this one.
    const lock = setBy === null ? findFreezeForShare : findFreezeForUpdate;
    const freeze = await lock(tx, actor.workspaceId);
    const result = await work(requireThawedTx(tx, isBrake ? null : freeze));
    await raiseSequence(tx, actor.workspaceId);
    return result;
  });
}

/**
 * Waits for the changes in progress of what is in force, and blocks new ones until the transaction ends. The groups'
 * name patterns and members do not change either. Returns the freeze. Must come first in a transaction, before any
 * other lock.
 */
export const lockInForce = findFreezeForUpdate;

/** The transaction, with permission to change what is in force. Errors: `workspace_frozen`. */
export function requireThawedTx(tx: Tx, freeze: ActiveFreeze | null): InForceTx {
  if (freeze) throw new AppError("workspace_frozen", undefined, { says: frozenSentence(freeze) });
  // Holds: the freeze was just checked; the mark exists only in types.
  return tx as InForceTx;
}

/** The sentence on a freeze: by whom or until when, why, and what stays possible. */
export function frozenSentence({ by, since, reason, end }: ActiveFreeze): string {
  const why = reason.replace(/[.!]?$/, ".");
  if (end !== null)
    return `The workspace is frozen until ${freezeEndText(end.at, end.timeZone, Date.now())}: ${why} Changes cannot take effect until then. Drafts can still be edited.`;
  const at = `${since.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return `The workspace is frozen by ${by} since ${at}: ${why} Changes cannot take effect until the freeze is lifted. Drafts can still be edited.`;
}
