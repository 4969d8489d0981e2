/** What checkpoints vouch for: that an entry is the one that was there, and that the chain went at least so far. */
import type { ChainedEntry } from "./chain.ts";
import { type Checkpoint, isSignedBy, type PublicKey } from "./checkpoint.ts";
import type { Drawers } from "./findings.ts";

export interface CheckpointOptions {
  readonly keys: readonly PublicKey[];
  /** Those kept outside; null when none were given. */
  readonly outside: readonly Checkpoint[] | null;
}

interface Known {
  readonly of: Checkpoint;
  readonly isOutside: boolean;
}

export interface Vouched {
  /** How many fit. */
  readonly fitting: number;
  /** Signed with keys that were not given: whose, and how many. */
  readonly unknownKeys: readonly string[];
  /** The newest that came from outside and whose signature holds. */
  readonly lastOutside: { readonly seq: number; readonly at: string; readonly key: string } | null;
}

export function createCheckpointCheck(
  workspace: string,
  { keys, outside }: CheckpointOptions,
  { altered, missing }: Drawers,
) {
  const known = new Map<number, Known>();
  const unknownKeys = new Set<string>();
  let lastOutside: Checkpoint | null = null;
  let furthest: Known | null = null;
  let lastFitting = 0;
  let fitting = 0;
  let isReplaced = false;

  function take(of: Checkpoint, isOutside: boolean): void {
    const { seq, key } = of;
    const add = (says: string) => altered.add({ seq, kind: null, says });
    if (of.workspace !== workspace) return;
    const trusted = keys.find(({ id }) => id === key);
    if (!trusted) {
      unknownKeys.add(key);
      return;
    }
    if (!isSignedBy(of, trusted.key)) {
      add(`the checkpoint of entry ${seq} has no valid signature${isOutside ? "" : " in the export"}`);
      return;
    }
    const before = known.get(seq);
    if (before && before.of.hash !== of.hash) {
      add(`two checkpoints of entry ${seq} are signed and contradict each other`);
      if (before.isOutside) return;
    }
    if (!before?.isOutside) known.set(seq, { of, isOutside });
    if (isOutside && seq > (lastOutside?.seq ?? 0)) lastOutside = of;
    if (seq > (furthest?.of.seq ?? 0)) furthest = { of, isOutside };
  }
  for (const one of outside ?? []) take(one, true);

  return {
    inside: (one: Checkpoint) => take(one, false),
    entry({ seq, kind, hash }: ChainedEntry): void {
      const vouched = known.get(seq);
      if (!vouched) return;
      if (vouched.of.hash === hash) {
        fitting += 1;
        lastFitting = seq;
        return;
      }
      // One sentence: every later checkpoint contradicts a replaced chain too.
      if (isReplaced) return;
      isReplaced = true;
      const says = `is not the entry that the checkpoint of ${vouched.of.at} vouches for: the chain was replaced between entry ${lastFitting + 1} and here`;
      altered.add({ seq, kind, says });
    },
    end(lastSeq: number): Vouched {
      if (furthest !== null && furthest.of.seq > lastSeq) {
        const cut = furthest.of.seq - lastSeq;
        const says = `the chain ends at entry ${lastSeq}, before checkpoint ${furthest.of.seq} (${furthest.of.at}): ${cut === 1 ? "1 entry is" : `${cut} entries are`} cut off`;
        missing.add({ seq: lastSeq, kind: null, says });
      }
      const vouchedFor = lastOutside && { seq: lastOutside.seq, at: lastOutside.at, key: lastOutside.key };
      return { fitting, unknownKeys: [...unknownKeys], lastOutside: vouchedFor };
    },
  };
}
