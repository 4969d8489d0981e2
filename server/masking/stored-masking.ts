import { createMasking, HIDING_MASKING, type Masking } from "@quarterdeck/hooks";
import { type MaskingSetting, maskingSetting, NO_MASKING } from "@quarterdeck/hooks/contract/masking-setting";
import { storedProblem } from "../platform/stored-fault.ts";

export interface StoredMasking {
  readonly setting: MaskingSetting;
  readonly masking: Masking;
  /** The reason why the stored setting cannot be used; then every text is hidden. */
  readonly problem: string | null;
}

/** The masking of a stored setting; null stands for a workspace without one. */
export function readMasking(stored: unknown): StoredMasking {
  if (stored === null) return { setting: NO_MASKING, masking: createMasking(NO_MASKING), problem: null };
  const read = maskingSetting.safeParse(stored);
  if (!read.success) return unusable(storedProblem(read.error));
  try {
    return { setting: read.data, masking: createMasking(read.data), problem: null };
  } catch (error) {
    return unusable(error instanceof Error ? error.message : String(error));
  }
}

const unusable = (problem: string): StoredMasking => ({ setting: NO_MASKING, masking: HIDING_MASKING, problem });
