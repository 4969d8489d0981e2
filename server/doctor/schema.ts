import { z } from "zod";

export const FINDING_STATES = ["failure", "warning", "unknown", "ok"] as const;

/** The result of one check of the installation. */
export const finding = z.strictObject({
  /** The name of the check: stable, for scripts. */
  id: z.string(),
  state: z.enum(FINDING_STATES),
  /** The finding, in one sentence. */
  says: z.string(),
  /** The remedy; null when no action is needed. */
  todo: z.string().nullable(),
});
export type Finding = z.infer<typeof finding>;

export const examinationView = z.strictObject({ at: z.date(), findings: z.array(finding) });
export type ExaminationView = z.infer<typeof examinationView>;
