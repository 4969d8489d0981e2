/**
 * The whole verification, over entries told in order: from an export's lines or from the database's rows. Needs nothing
 * but what it is told and the public keys, and keeps little: a million entries pass through.
 *
 * Two questions are answered apart. Was anything altered? Is anything missing? The second has a third answer, unknown:
 * only a checkpoint from outside shows a tail that was cut off.
 */
import type { ChainedEntry } from "./chain.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { createFindings, type Found } from "./findings.ts";
import { type BatchCount, createBatchCheck, type HeldRow } from "./verify-batches.ts";
import { type ChainStart, createChainCheck } from "./verify-chain.ts";
import { type CheckpointOptions, createCheckpointCheck, type Vouched } from "./verify-checkpoints.ts";

export interface VerifyOptions extends ChainStart, CheckpointOptions {
  /** Whether dispatches are told: those of every entry, of some, or none. */
  readonly dispatches: "all" | "some" | "none";
}

export interface Report {
  readonly workspace: string;
  readonly entries: { readonly from: number; readonly to: number; readonly count: number; readonly oldRule: number };
  readonly altered: Found;
  readonly missing: Found & {
    readonly state: "nothing" | "something" | "unknown";
    /** Entries after the last outside checkpoint: nobody outside vouches for them yet. Null without a checkpoint. */
    readonly unvouched: number | null;
  };
  readonly checkpoints: Vouched;
  /** Null when dispatches were not part of it. */
  readonly dispatches: BatchCount | null;
}

export interface Verifier {
  entry(entry: ChainedEntry): void;
  /** A dispatch of the batch whose entry came last. */
  row(row: HeldRow): void;
  /** A dispatch of no batch at all. */
  stray(id: string): void;
  /** What the database believes to be the last entry; told after all of them. */
  head(seq: number, hash: string): void;
  /** A checkpoint that travels with the entries. */
  inside(checkpoint: Checkpoint): void;
  end(): Report;
}

export function createVerifier(options: VerifyOptions): Verifier {
  const { workspace, from, dispatches } = options;
  const drawers = { altered: createFindings(), missing: createFindings() };
  const chain = createChainCheck(options, drawers);
  const checkpoints = createCheckpointCheck(workspace, options, drawers);
  const batches = dispatches === "none" ? null : createBatchCheck(drawers, dispatches === "all" && from === 1);
  return {
    entry(one) {
      chain.entry(one);
      checkpoints.entry(one);
      batches?.entry(one);
    },
    row: (row) => batches?.row(row),
    stray: (id) => batches?.stray(id),
    head: chain.head,
    inside: checkpoints.inside,
    end() {
      const { last, count, oldRule } = chain.state();
      const to = last?.seq ?? from - 1;
      const vouched = checkpoints.end(to);
      const counted = batches?.end() ?? null;
      const missing = drawers.missing.found();
      const isKnown = vouched.lastOutside !== null;
      return {
        workspace,
        entries: { from, to, count, oldRule },
        altered: drawers.altered.found(),
        missing: {
          ...missing,
          state: missing.count > 0 ? "something" : isKnown ? "nothing" : "unknown",
          unvouched: vouched.lastOutside === null ? null : Math.max(0, to - vouched.lastOutside.seq),
        },
        checkpoints: vouched,
        dispatches: counted,
      };
    },
  };
}
