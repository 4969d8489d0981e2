/**
 * The entry from which a verification continues: an earlier verification found everything up to it correct, and an
 * outside checkpoint covers it, as it did then.
 */

import { type Checkpoint, isSignedBy, type PublicKey } from "../../audit/checkpoint.ts";
import type { Pool } from "../../platform/db.ts";
import { listEntries } from "../repository.ts";
import { findLastDone } from "./verification-runs.ts";
import type { VerificationBase } from "./verification-step.ts";

/** Null when everything must be verified. */
export async function findBase(
  pool: Pool,
  workspaceId: string,
  { keys, outside }: { readonly keys: readonly PublicKey[]; readonly outside: readonly Checkpoint[] | null },
): Promise<VerificationBase | null> {
  const last = await findLastDone(pool, workspaceId);
  if (last === null || last.from === null || last.to === null || last.finishedAt === null) return null;
  // Findings are looked for again where they were found, until they are gone.
  const until = last.findings === 0 ? last.to : last.from - 1;
  const isSigned = (one: Checkpoint) => keys.some(({ id, key }) => id === one.key && isSignedBy(one, key));
  const vouching = (outside ?? [])
    .filter((one) => one.workspace === workspaceId && one.seq <= until)
    .toSorted((a, b) => b.seq - a.seq)
    .find(isSigned);
  if (vouching === undefined) return null;
  const { seq, hash } = vouching;
  const [entry, twin] = await listEntries(pool, workspaceId, { after: seq - 1, to: seq, limit: 1 });
  if (entry === undefined || twin !== undefined || entry.hash !== hash) return null;
  return { seq, hash, at: entry.at, earlier: { to: seq, at: last.finishedAt.toISOString(), by: last.startedBy } };
}
