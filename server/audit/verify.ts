/**
 * The whole verification, over entries given in order: from an export's lines or from the database's rows. It needs
 * only its input and the public keys, and little memory: a million entries are streamed. It can be suspended after any
 * batch and continued elsewhere (`save`).
 *
 * It answers two questions separately. Was anything altered? Is anything missing? The second has a third answer,
 * unknown: only an outside checkpoint shows a tail that was cut off.
 */
import { z } from "zod";
import type { ChainedEntry } from "./chain.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { createFindings, type Found, findingsState } from "./findings.ts";
import type { NamePart } from "./person-names.ts";
import { type BatchCount, type Blanked, batchState, createBatchCheck, type HeldRow } from "./verify-batches.ts";
import { type ChainStart, chainState, createChainCheck } from "./verify-chain.ts";
import { type CheckpointOptions, checkpointState, createCheckpointCheck, type Vouched } from "./verify-checkpoints.ts";
import { createNameCheck, type NameCount, nameCount } from "./verify-names.ts";

/** Entries that an earlier verification covered, and that this one skipped. */
export interface Earlier {
  readonly to: number;
  readonly at: string;
  readonly by: string;
}

export interface VerifyOptions extends ChainStart, CheckpointOptions {
  /** The given dispatches: those of every entry, of some entries, chosen ones, or none. */
  readonly dispatches: "all" | "some" | "picked" | "none";
  readonly earlier?: Earlier;
}

export interface VerificationReport {
  readonly workspace: string;
  readonly entries: { readonly from: number; readonly to: number; readonly count: number; readonly oldRule: number };
  readonly altered: Found;
  readonly missing: Found & {
    readonly state: "nothing" | "something" | "unknown";
    /** Entries after the last outside checkpoint, which no outside checkpoint covers yet. Null without a checkpoint. */
    readonly unvouched: number | null;
  };
  readonly checkpoints: Vouched;
  /** Null when dispatches were not part of it. */
  readonly dispatches: BatchCount | null;
  readonly names: NameCount;
  /** Absent when no entry was skipped. */
  readonly earlier?: Earlier;
}

/** A verification between two ranges. */
export const verifyState = z.strictObject({
  altered: findingsState,
  missing: findingsState,
  chain: chainState,
  checkpoints: checkpointState,
  batches: batchState.nullable(),
  names: nameCount,
});
export type VerifyState = z.infer<typeof verifyState>;

export interface Verifier {
  /** An entry, with the names of people stored outside it. */
  entry(entry: ChainedEntry, names?: readonly NamePart[]): void;
  /** A dispatch of the batch whose entry came last. */
  row(row: HeldRow): void;
  /** A dispatch of no batch at all. */
  stray(id: string): void;
  /** A dispatch without content that no entry explains, of those that `takeBlanked` handed over. */
  lostContent(id: string, seq: number): void;
  /** The last entry according to the database; given after all entries. */
  head(seq: number, hash: string): void;
  /** The number of entries after the last one that the chain's head knows. */
  beyond(headSeq: number, count: number): void;
  /** A checkpoint that travels with the entries. */
  inside(checkpoint: Checkpoint): void;
  /** True while something is absent or blank that an entry to come may account for. */
  isOpen(): boolean;
  takeBlanked(): { readonly blanked: Blanked[]; readonly explained: string[] };
  counts(): { readonly entries: number; readonly dispatches: number; readonly findings: number };
  /** Between batches. */
  save(): VerifyState;
  end(): VerificationReport;
}

/** With `saved`, it continues an earlier verification. */
export function createVerifier(options: VerifyOptions, saved?: VerifyState): Verifier {
  const { workspace, from, dispatches, earlier } = options;
  const drawers = { altered: createFindings(saved?.altered), missing: createFindings(saved?.missing) };
  const chain = createChainCheck(options, drawers, saved?.chain);
  const checkpoints = createCheckpointCheck(workspace, options, drawers, saved?.checkpoints);
  const names = createNameCheck(drawers.altered, saved?.names);
  const batches =
    dispatches === "none" ? null : createBatchCheck(drawers, saved?.batches ?? undefined, dispatches === "picked");
  return {
    entry(one, parts = []) {
      chain.entry(one);
      names.entry(one, parts);
      checkpoints.entry(one);
      batches?.entry(one);
    },
    row: (row) => batches?.row(row),
    stray: (id) => batches?.stray(id),
    lostContent: (id, seq) => batches?.lostContent(id, seq),
    head: chain.head,
    beyond: (seq, count) =>
      void drawers.altered.add({ seq, kind: null, says: `is the last for the chain's head, and ${count} follow` }),
    inside: checkpoints.inside,
    isOpen: () => batches?.isOpen() ?? false,
    takeBlanked: () => batches?.takeBlanked() ?? { blanked: [], explained: [] },
    counts() {
      const held = batches?.save().count.held ?? 0;
      const findings = drawers.altered.found().count + drawers.missing.found().count;
      return { entries: chain.state().count, dispatches: held, findings };
    },
    save() {
      const batched = batches?.save() ?? null;
      const [altered, missing] = [drawers.altered.save(), drawers.missing.save()];
      return {
        altered,
        missing,
        chain: chain.save(),
        checkpoints: checkpoints.save(),
        batches: batched,
        names: names.count(),
      };
    },
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
        names: names.count(),
        ...(earlier ? { earlier } : {}),
      };
    },
  };
}
