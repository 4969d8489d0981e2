import { z } from "zod";
import { statementFacts, statementPeriod } from "../../audit/statement-schema.ts";

const sentences = z.array(z.string()).max(250);

export const verificationResult = z.strictObject({
  verdict: z.enum(["proven", "found", "unknown"]),
  altered: sentences,
  missing: sentences,
  notes: sentences,
});
export type VerificationResult = z.infer<typeof verificationResult>;

/** `fromBeginning`: also verifies again what an earlier verification covered. */
export const startVerification = z.strictObject({ fromBeginning: z.boolean().default(false) });
export type StartVerification = z.infer<typeof startVerification>;

export const startedVerification = z.strictObject({
  id: z.uuid(),
  /** False when a verification was already running: it continues. */
  isNew: z.boolean(),
});

export const verificationRun = z.strictObject({
  id: z.uuid(),
  /** `interrupted`: no process works on it at the moment, and the next jobs process continues it. */
  state: z.enum(["waiting", "running", "interrupted", "done", "failed"]),
  startedBy: z.string(),
  startedAt: z.date(),
  finishedAt: z.date().nullable(),
  fromBeginning: z.boolean(),
  /** The entries that it verifies; null until it is begun. */
  from: z.number().nullable(),
  to: z.number().nullable(),
  /** The last entry that is verified. */
  position: z.number(),
  /** The UTC day of it, `2026-11-23`; once entries are done, of the dispatches that are looked through. */
  day: z.string().nullable(),
  entries: z.number(),
  dispatches: z.number(),
  findings: z.number(),
  failure: z.string().nullable(),
  result: verificationResult.nullable(),
});
export type VerificationRun = z.infer<typeof verificationRun>;

export const verificationList = z.strictObject({
  /** The newest first. */
  runs: z.array(verificationRun),
  /** The last result without a finding: the chain holds up to there. */
  verified: z.strictObject({ to: z.number(), at: z.date(), by: z.string() }).nullable(),
});
export type VerificationList = z.infer<typeof verificationList>;

/** A statement may cover at most this many days. */
export const STATEMENT_DAYS_MAX = 400;
const day = z.iso.date();

/** Days of the workspace's calendar, the last one included. */
export const startStatement = z
  .strictObject({ first: day, last: day })
  .refine(({ first, last }) => first <= last, { error: "The last day is before the first.", path: ["last"] })
  .refine(({ first, last }) => Date.parse(last) - Date.parse(first) < STATEMENT_DAYS_MAX * 86_400_000, {
    error: `A statement covers at most ${STATEMENT_DAYS_MAX} days.`,
    path: ["last"],
  });
export type StartStatement = z.infer<typeof startStatement>;

export const statementById = z.strictObject({ id: z.uuid() });

export const statementView = verificationRun
  .pick({ id: true, state: true, startedBy: true, startedAt: true, finishedAt: true, failure: true })
  .extend({
    ...{ from: z.number().nullable(), to: z.number().nullable(), position: z.number() },
    period: statementPeriod,
  })
  /** Null until the verification is over. */
  .extend({ facts: statementFacts.nullable() });
export type StatementView = z.infer<typeof statementView>;

/** A ZIP archive in base64: the statement as JSON, HTML and PDF. */
export const statementArchive = z.strictObject({ name: z.string(), archive: z.string() });
