/** Reads the call of an approval request with the code that evaluates rules. */
import { callReading, readRecordedCall } from "@quarterdeck/hooks/reading/call-reading";
import { callWithoutSession, decisiveRule, readRules } from "@quarterdeck/hooks/reading/rules-reading";
import { parseJson } from "../../access/json-text.ts";
import { getAsked } from "../../approvals/index.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Database } from "../../platform/db.ts";
import { rulesOfHook } from "../../policies/index.ts";
import { READ_HOOKS_MAX, type RequestReading } from "./schema.ts";

/** Errors: `approval_not_found`. */
export async function readRequest(db: Database, workspaceId: string, id: string): Promise<RequestReading> {
  const { toolName, input, cwd, agentName, askedBy } = await getAsked(db, workspaceId, id);
  const read = argumentsOf(input);
  if (read === null) return { call: null, hooks: [] };
  const call = readRecordedCall({ tool: toolName, input: read, directory: cwd });
  const world = callWithoutSession(call, agentName);
  const hooks: RequestReading["hooks"] = [];
  for (const { policy, policyId, revision, path } of askedBy.slice(0, READ_HOOKS_MAX)) {
    const found = policyId === null ? null : await rulesOfHook(db, workspaceId, { policyId, revision, path });
    if (found === null) continue;
    const rules = readRules(found, world);
    hooks.push({ policy, path, rules, decisive: decisiveRule(rules)?.index ?? null });
  }
  return { call: callReading(call), hooks };
}

/** Null for a text that is truncated. */
function argumentsOf(text: string): unknown {
  try {
    const value = parseJson(text);
    return typeof value === "object" ? value : null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
