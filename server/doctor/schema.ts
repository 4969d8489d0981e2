import { z } from "zod";

export const FINDING_STATES = ["failure", "warning", "unknown", "ok"] as const;

/** What one look at the installation came to. */
export const finding = z.strictObject({
  /** What was looked at: stable, for scripts. */
  id: z.string(),
  state: z.enum(FINDING_STATES),
  /** One sentence: what is the case. */
  says: z.string(),
  /** What to do; null when nothing is to be done. */
  todo: z.string().nullable(),
});
export type Finding = z.infer<typeof finding>;

export const examinationView = z.strictObject({ at: z.date(), findings: z.array(finding) });
export type ExaminationView = z.infer<typeof examinationView>;
