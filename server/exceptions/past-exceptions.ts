/** Exceptions as they were at an earlier instant, for calls that are run again. */
import type { LiftVerdict } from "@quarterdeck/hooks";
import { isUngrantable } from "@quarterdeck/hooks";
import { ownAgentsOf } from "../approvals/index.ts";
import type { Pool } from "../platform/db.ts";
import { sha256 } from "../platform/secrets.ts";
import { selectBy } from "../platform/select.ts";
import { comparableCall, type ExceptionCall, liftsVerdict } from "./match.ts";
import { listSince, type PastExceptionRow } from "./repository.ts";
import { exceptionProblem } from "./stored-exception.ts";

/** Plain data that a worker thread can get. Instants are milliseconds since 1970. */
export interface PastException extends Omit<PastExceptionRow, "inputSha256" | "madeById"> {
  /** Hex digits. */
  readonly inputSha256: string | null;
  /** The agents that its maker may not answer for. */
  readonly ownAgents: readonly string[];
}

/** The exceptions that were in force at any time since `from`, with the present members of their groups. */
export async function listPastExceptions(pool: Pool, workspaceId: string, from: Date): Promise<PastException[]> {
  const stored = (await listSince(pool, workspaceId, from)).filter((row) => exceptionProblem(row) === null);
  const makers = [...new Set(stored.flatMap(({ madeById }) => madeById ?? []))];
  const own = await ownAgentsOf(selectBy(pool), workspaceId, makers);
  return stored.map(({ inputSha256, madeById, ...row }) => ({
    ...row,
    inputSha256: inputSha256?.toString("hex") ?? null,
    ownAgents: [...(own.get(madeById ?? "") ?? [])],
  }));
}

export interface PastCall {
  readonly agentId: string;
  readonly atMs: number;
  readonly input: { readonly session_id?: unknown; readonly tool_name?: unknown; readonly tool_input?: unknown };
}

/**
 * Lifts the verdicts that an exception lifted at the time of the call. An exception from a question also depends on the
 * rules for approvers at that time, which are not kept: then `onUncertain` is called and the verdict remains.
 */
export function pastLifter(
  exceptions: readonly PastException[],
  { agentId, atMs, input }: PastCall,
  onUncertain: () => void,
): LiftVerdict {
  const then = exceptions.filter(
    ({ fromMs, untilMs, ownAgents }) => fromMs <= atMs && atMs < untilMs && !ownAgents.includes(agentId),
  );
  let call: ExceptionCall | null | undefined;
  return async (hook, verdict) => {
    if (then.length === 0 || isUngrantable(hook)) return null;
    if (call === undefined) call = comparableCall(agentId, input);
    if (call === null) return null;
    const mine = call;
    const said = { policyId: hook.origin.policyId, sha256: sha256(hook.rule).toString("hex"), verdict };
    const found = then.find((one) => {
      const digest = one.inputSha256 === null ? null : Buffer.from(one.inputSha256, "hex");
      return liftsVerdict({ ...one, inputSha256: digest }, said, mine);
    });
    if (found === undefined) return null;
    if (verdict === "deny") return { id: found.id, label: "an exception" };
    onUncertain();
    return null;
  };
}
