/** The kinds of answers that a sample can get. Without imports, because worker threads load it. */
export const SAMPLED_KINDS = ["command", "judge"] as const;
export type SampledKind = (typeof SAMPLED_KINDS)[number];
