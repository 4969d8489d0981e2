/**
 * Compares checkpoints with entries: each entry is the one that was signed, and the chain reached at least that far.
 */
import { z } from "zod";
import type { ChainedEntry } from "./chain.ts";
import { type Checkpoint, checkpoint, isSignedBy, type PublicKey } from "./checkpoint.ts";
import type { Drawers, Findings } from "./findings.ts";

export interface CheckpointOptions {
  readonly keys: readonly PublicKey[];
  /** The outside checkpoints; null when none were given. */
  readonly outside: readonly Checkpoint[] | null;
}

interface Known {
  readonly of: Checkpoint;
  readonly isOutside: boolean;
}

const UNKNOWN_KEYS_MAX = 20;

/** The check between two ranges: checkpoints from outside up to `passed` are dealt with. */
export const checkpointState = z.strictObject({
  passed: z.number().int(),
  unknownKeys: z.array(z.string()).max(UNKNOWN_KEYS_MAX),
  lastOutside: checkpoint.nullable(),
  furthest: checkpoint.nullable(),
  lastFitting: z.number().int(),
  fitting: z.number().int(),
  isReplaced: z.boolean(),
});
export type CheckpointState = z.infer<typeof checkpointState>;

export interface Vouched {
  /** The number of matching checkpoints. */
  readonly fitting: number;
  /** The number of the last entry with a matching checkpoint; 0 without one. Later entries are not covered. */
  readonly lastFitting: number;
  /** Keys that were not given and signed some. */
  readonly unknownKeys: readonly string[];
  /** The newest that came from outside and whose signature holds. */
  readonly lastOutside: { readonly seq: number; readonly at: string; readonly key: string } | null;
}

export function createCheckpointCheck(
  workspace: string,
  { keys, outside }: CheckpointOptions,
  { altered, missing }: Drawers,
  saved?: CheckpointState,
) {
  const trusted = createTrustedCheckpoints(workspace, keys, altered, saved);
  let lastFitting = saved?.lastFitting ?? 0;
  let fitting = saved?.fitting ?? 0;
  let isReplaced = saved?.isReplaced ?? false;
  let passed = saved?.passed ?? 0;
  /** Outside checkpoints not reached yet, the next one last. */
  const ahead = (outside ?? []).filter(({ seq }) => seq > passed).toSorted((a, b) => b.seq - a.seq);

  /** Compares outside checkpoints up to an entry, and drops those of earlier entries. */
  function pass(upTo: number): void {
    for (let next = ahead.at(-1); next !== undefined && next.seq <= upTo; next = ahead.at(-1)) {
      ahead.pop();
      trusted.take(next, true);
    }
    passed = Math.max(passed, upTo);
  }

  /** The previous entry: an export's checkpoint follows its entry. */
  let current: Pick<ChainedEntry, "seq" | "kind" | "hash"> | null = null;

  function compare({ seq, kind, hash }: Pick<ChainedEntry, "seq" | "kind" | "hash">): void {
    const vouched = trusted.at(seq);
    if (!vouched) return;
    if (vouched.hash === hash) {
      if (lastFitting !== seq) fitting += 1;
      lastFitting = seq;
      return;
    }
    // One sentence: every later checkpoint contradicts a replaced chain too.
    if (isReplaced) return;
    isReplaced = true;
    const says = `is not the entry that the checkpoint of ${vouched.at} vouches for: the chain was replaced between entry ${lastFitting + 1} and here`;
    altered.add({ seq, kind, says });
  }

  return {
    inside(one: Checkpoint): void {
      trusted.take(one, false);
      if (current?.seq === one.seq) compare(current);
    },
    entry({ seq, kind, hash }: ChainedEntry): void {
      pass(seq);
      trusted.forgetBefore(seq);
      current = { seq, kind, hash };
      compare(current);
    },
    save: (): CheckpointState => ({
      ...{ passed, ...trusted.state(), lastFitting, fitting, isReplaced },
    }),
    end(lastSeq: number): Vouched {
      pass(Number.MAX_SAFE_INTEGER);
      const { furthest, lastOutside, unknownKeys } = trusted.state();
      if (furthest !== null && furthest.seq > lastSeq) {
        const cut = furthest.seq - lastSeq;
        const says = `the chain ends at entry ${lastSeq}, before checkpoint ${furthest.seq} (${furthest.at}): ${cut === 1 ? "1 entry is" : `${cut} entries are`} cut off`;
        missing.add({ seq: lastSeq, kind: null, says });
      }
      const vouchedFor = lastOutside && { seq: lastOutside.seq, at: lastOutside.at, key: lastOutside.key };
      return { fitting, lastFitting, unknownKeys, lastOutside: vouchedFor };
    },
  };
}

/** The checkpoints whose signature holds. */
function createTrustedCheckpoints(
  workspace: string,
  keys: readonly PublicKey[],
  altered: Findings,
  saved?: CheckpointState,
) {
  const known = new Map<number, Known>();
  const unknownKeys = new Set<string>(saved?.unknownKeys);
  let lastOutside: Checkpoint | null = saved?.lastOutside ?? null;
  let furthest: Checkpoint | null = saved?.furthest ?? null;

  function take(of: Checkpoint, isOutside: boolean): void {
    const { seq, key } = of;
    const add = (says: string) => altered.add({ seq, kind: null, says });
    if (of.workspace !== workspace) return;
    const trusted = keys.find(({ id }) => id === key);
    if (!trusted) {
      if (unknownKeys.size < UNKNOWN_KEYS_MAX) unknownKeys.add(key);
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
    if (seq > (furthest?.seq ?? 0)) furthest = of;
  }

  return {
    take,
    at: (seq: number): Checkpoint | undefined => known.get(seq)?.of,
    forgetBefore(seq: number): void {
      for (const before of known.keys()) if (before < seq) known.delete(before);
    },
    state: () => ({ unknownKeys: [...unknownKeys], lastOutside, furthest }),
  };
}
