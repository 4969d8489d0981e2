/** The result of a verification in sentences, as it is stored and shown. */
import { exitCodeOf, reportText } from "../audit/report.ts";
import type { VerificationReport } from "../audit/verify.ts";
import type { VerificationResult } from "./verification-schema.ts";

const VERDICTS = { 0: "proven", 1: "found", 3: "unknown" } as const;

export function resultOf(report: VerificationReport): VerificationResult {
  const { altered, missing, notes } = reportText(report);
  return { verdict: VERDICTS[exitCodeOf(report)], altered: [...altered], missing: [...missing], notes: [...notes] };
}
