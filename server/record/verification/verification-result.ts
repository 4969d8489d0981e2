/** The result of a verification in sentences, as it is stored and shown. */
import { verificationExitCode, verificationReportText } from "../../audit/verification-report.ts";
import type { VerificationReport } from "../../audit/verify.ts";
import type { VerificationResult } from "./verification-schema.ts";

const VERDICTS = { 0: "proven", 1: "found", 3: "unknown" } as const;

export function resultOf(report: VerificationReport): VerificationResult {
  const { altered, missing, notes } = verificationReportText(report);
  return {
    verdict: VERDICTS[verificationExitCode(report)],
    altered: [...altered],
    missing: [...missing],
    notes: [...notes],
  };
}
