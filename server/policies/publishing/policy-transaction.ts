import type { Administrator } from "../../access/actor.ts";
import { AppError } from "../../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../../events/index.ts";
import type { Database, Tx } from "../../platform/db.ts";
import * as policies from "../repository.ts";
import type { InForceTx } from "./in-force.ts";
import { raiseSequence } from "./sequence.ts";

/** Everything that shows what is in force. */
const TOPICS = ["policies", "agents", "rules"] as const;

/** Runs a change that plans and viewers must hear of: other nodes by its own transaction, this one right after. */
export function policyTransaction<T>(
  db: Database,
  bus: Bus,
  actor: Administrator,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return announcedTransaction({ db, bus }, actor.workspaceId, TOPICS, work);
}

/**
 * The same for a change of what is in force, or of whom it binds. `isBrake` goes through a freeze: taking back what harms
 * must always be possible.
 *
 * Errors: `workspace_frozen`, and then nothing changed.
 */
export function activePolicyTransaction<T>(
  db: Database,
  bus: Bus,
  actor: Administrator,
  work: (tx: InForceTx) => Promise<T>,
  { isBrake = false }: { isBrake?: boolean } = {},
): Promise<T> {
  return policyTransaction(db, bus, actor, async (tx) => {
    const freeze = await policies.findFreezeForShare(tx, actor.workspaceId);
    const result = await work(requireThawedTx(tx, isBrake ? null : freeze));
    await raiseSequence(tx, actor.workspaceId);
    return result;
  });
}

/**
 * Waits for the changes of what is in force that are under way, and lets none begin before the transaction ends: the groups' name
 * patterns and members stay as they are. Answers the freeze. Comes first in a transaction, before any other lock.
 */
export const lockInForce = policies.findFreezeForUpdate;

/** The transaction, as one in which what is in force may change. Errors: `workspace_frozen`. */
export function requireThawedTx(tx: Tx, freeze: policies.FreezeRow | null): InForceTx {
  if (freeze) throw new AppError("workspace_frozen", undefined, { says: frozenSentence(freeze) });
  // Holds: that is what was just made sure of; the mark itself exists in types only.
  return tx as InForceTx;
}

/** The sentence on a freeze: by whom, since when and why, and what goes on. */
export function frozenSentence({ frozenBy, frozenAt, reason }: policies.FreezeRow): string {
  const at = `${frozenAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return `The workspace is frozen by ${frozenBy} since ${at}: ${reason.replace(/[.!]?$/, ".")} Nothing that is in force changes until the freeze is lifted; drafts go on.`;
}
