/** The parts of a setting that cannot be used. */
import { maskPatternProblem } from "@quarterdeck/hooks";
import type { MaskingSetting } from "@quarterdeck/hooks/contract/masking-setting";
import { matcherComplaint } from "@quarterdeck/hooks/contract/matcher";
import { AppError } from "../errors/app-error.ts";
import type { MaskingProblem } from "./schema.ts";

export function listProblems({ patterns, fields }: MaskingSetting): readonly MaskingProblem[] {
  return [
    ...patterns.flatMap(({ pattern }, index) => {
      const says = maskPatternProblem(pattern);
      return says === null ? [] : [{ part: "patterns" as const, index, says }];
    }),
    ...fields.flatMap(({ tool }, index) => {
      const complaint = matcherComplaint(tool);
      return complaint === null
        ? []
        : [{ part: "fields" as const, index, says: `This tool is not an RE2 pattern: ${complaint}.` }];
    }),
  ];
}

/** Errors: `invalid_input` at the first part that cannot be used. */
export const requireUsable = (setting: MaskingSetting): void => requireNone(listProblems(setting));

/** Errors: `invalid_input` at the first problem. */
export function requireNone([problem]: readonly MaskingProblem[]): void {
  if (problem === undefined) return;
  const { part, index, says } = problem;
  const noun = part === "patterns" ? "Pattern" : "Field";
  throw new AppError("invalid_input", undefined, {
    says: `${noun} ${index + 1}: ${says}`,
    pointer: `/setting/${part}/${index}`,
  });
}
