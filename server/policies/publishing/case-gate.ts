/** The gate of a policy's test cases before it is published. */
import type { FindPrograms } from "@quarterdeck/hooks";
import { AppError } from "../../errors/app-error.ts";
import type { Override } from "../schema.ts";
import type { PermittedText } from "./permitted-hooks.ts";

export interface FailingCase {
  readonly caseId: string;
  readonly name: string;
  /** The expected outcome and the actual one. */
  readonly says: string;
}

export interface CaseGate {
  /** The cases of the policy that fail on exactly this text; runs its hooks. */
  failing(policyId: string, text: PermittedText): Promise<readonly FailingCase[]>;
  /** Looks for the programs of command hooks in their sandbox; absent where no hook runs. */
  readonly findPrograms?: FindPrograms;
}

/** The gate of policies without cases. */
export const NO_CASES: CaseGate = { failing: () => Promise.resolve([]) };

/** The failing cases that a person overrides; empty if all pass. Errors: `cases_failing` with every one. */
export async function requireCases(
  gate: CaseGate,
  policyId: string,
  text: PermittedText,
  override: Override | undefined,
): Promise<readonly FailingCase[]> {
  const failing = await gate.failing(policyId, text);
  if (failing.length === 0 || (override && override.cases !== false)) return failing;
  const count = failing.length === 1 ? "1 test case fails" : `${failing.length} test cases fail`;
  throw new AppError("cases_failing", policyId, {
    says: `${count}, so nothing was published. Fix the text or the test case. To publish anyway, type the policy's name and enter a reason.`,
    problems: failing.map(({ name, says }) => ({ path: name, message: says })),
  });
}

/** The audit details of an override; null when nothing failed. Errors: `invalid_input` when another name was typed. */
export function overridden(
  failing: readonly FailingCase[],
  policyName: string,
  override: Override | undefined,
): { reason: string; cases: { case: string; name: string }[] } | null {
  if (failing.length === 0 || !override) return null;
  requireTypedName(policyName, override);
  return { reason: override.reason, cases: failing.map(({ caseId, name }) => ({ case: caseId, name })) };
}

/** Errors: `invalid_input` when another name was typed. */
export function requireTypedName(policyName: string, override: Override): void {
  if (override.typed === policyName) return;
  throw new AppError("invalid_input", undefined, {
    says: `To override the refusal, type the policy's name: ${policyName}.`,
    pointer: "/override/typed",
  });
}
