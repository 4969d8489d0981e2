/** Verifies the record in the database from the beginning, while the caller waits. */

import type { Checkpoint, PublicKey } from "../../audit/checkpoint.ts";
import type { VerificationReport } from "../../audit/verify.ts";
import type { Database } from "../../platform/db.ts";
import { createBlankedMemory } from "./blanked-store.ts";
import {
  takeStep,
  VERIFICATION_LIMITS,
  type VerificationLimits,
  type VerificationProgress,
} from "./verification-step.ts";

export interface StoredOptions {
  readonly keys: readonly PublicKey[];
  readonly outside: readonly Checkpoint[] | null;
  readonly limits?: VerificationLimits;
  readonly signal?: AbortSignal;
}

/** Errors: the signal's reason. */
export async function verifyStored(
  db: Database,
  workspaceId: string,
  options: StoredOptions,
): Promise<VerificationReport> {
  const { keys, outside, limits = VERIFICATION_LIMITS, signal } = options;
  const job = {
    ...{ workspaceId, base: null, keys, limits, blanked: createBlankedMemory() },
    outside: () => Promise.resolve(outside),
  };
  let progress: VerificationProgress | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const step = await takeStep(db.pool, job, progress);
    if (step.report) return step.report;
    progress = step.progress;
  }
}
