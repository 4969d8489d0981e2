import { createMasking, HIDING_MASKING, type Masking } from "@quarterdeck/hooks";
import { type MaskingSetting, maskingSetting, NO_MASKING } from "@quarterdeck/hooks/contract/masking-setting";
import type { Pool } from "../platform/db.ts";
import { storedProblem } from "../platform/stored-fault.ts";
import * as stored from "./repository.ts";

export interface StoredMasking {
  readonly setting: MaskingSetting;
  readonly masking: Masking;
  /** The reason why the stored setting cannot be used; then every text is hidden. */
  readonly problem: string | null;
}

/** The masking of a workspace as the database has it now, for what people do. Errors: those of the database. */
export async function findMasking(pool: Pool, workspaceId: string): Promise<Masking> {
  const row = await stored.find(pool, workspaceId);
  return readMasking(row?.setting ?? null).masking;
}

/** The masking of a stored setting; null for a workspace without one. */
export function readMasking(setting: unknown): StoredMasking {
  if (setting === null) return { setting: NO_MASKING, masking: createMasking(NO_MASKING), problem: null };
  const read = maskingSetting.safeParse(setting);
  if (!read.success) return unusable(storedProblem(read.error));
  try {
    return { setting: read.data, masking: createMasking(read.data), problem: null };
  } catch (error) {
    return unusable(error instanceof Error ? error.message : String(error));
  }
}

const unusable = (problem: string): StoredMasking => ({ setting: NO_MASKING, masking: HIDING_MASKING, problem });
