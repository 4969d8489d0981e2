/** From the mildest to the most severe. */
export const SAFETY_LABELS = ["safe", "unknown", "destructive"] as const;
export type SafetyLabel = (typeof SAFETY_LABELS)[number];
