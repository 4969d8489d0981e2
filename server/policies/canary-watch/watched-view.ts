/** The limits of a canary, their last check and the withdrawal, as the pages read them. */
import type { z } from "zod";
import type { CanaryFigures } from "../assignments/assignment-schema.ts";
import type { PolicyRow } from "../repository.ts";
import type { CanaryView, PolicyView } from "../schema.ts";
import { canaryComparison, canaryLimits, canaryWithdrawal } from "./limits-schema.ts";

export const limitsOf = (row: PolicyRow): CanaryView["limits"] => readStored(canaryLimits, row.canaryLimits);

export function lastCheckOf(row: PolicyRow): Pick<CanaryFigures, "comparison" | "fault"> {
  const isUnreadable = row.canaryLimits !== null && limitsOf(row) === null;
  return {
    comparison: readStored(canaryComparison, row.canaryComparison),
    fault: isUnreadable ? "The limits cannot be read. Set them again." : row.canaryFault,
  };
}

export const withdrawalOf = (row: PolicyRow): PolicyView["withdrawal"] =>
  readStored(canaryWithdrawal, row.canaryWithdrawal);

/** Null for a value that is absent or that this release cannot read. */
function readStored<T>(schema: z.ZodType<T>, stored: string | null): T | null {
  if (stored === null) return null;
  try {
    return schema.safeParse(JSON.parse(stored)).data ?? null;
  } catch {
    return null;
  }
}
