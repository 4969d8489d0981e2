/** A recorded call that rules denied, as the example that an exception is made from. */
import type { Said } from "@quarterdeck/hooks";
import type { Administrator } from "../access/actor.ts";
import { parseJson } from "../access/json-text.ts";
import { bindingOf, hasExactNumbers, requireForeignAgent } from "../approvals/index.ts";
import { AppError } from "../errors/app-error.ts";
import { findMasking } from "../masking/index.ts";
import type { Database } from "../platform/db.ts";
import { pgText } from "../recording/index.ts";
import { storedHooks } from "../recording/schema.ts";
import * as exceptions from "./repository.ts";
import { type DispatchRef, INPUT_CHARS_MAX } from "./schema.ts";

const refused = (says: string) => new AppError("exception_refused", undefined, { says });
/** The rest that masking leaves of a secret. */
const MASKED = "[REDACTED]";
const DENIES: ReadonlySet<string> = new Set<Said>(["deny", "block"]);

/** Errors: `exception_refused`, `approval_own_agent`. */
export async function deniedCall(
  { pool, prisma }: Pick<Database, "pool" | "prisma">,
  reader: Pick<Administrator, "workspaceId" | "id" | "kind">,
  ref: DispatchRef,
) {
  const found = await exceptions.findDispatch(pool, reader.workspaceId, ref);
  if (found === null || found.verdict !== "deny") throw refused("This call is not on record as denied by a rule.");
  await requireForeignAgent({ prisma }, reader, found.agentId);
  const hooks = storedHooks.parse(JSON.parse(found.hooks)).filter(({ ranOn }) => ranOn !== "agent");
  const failed = hooks.find(({ said, outcome }) => said === "failed" || outcome === "failed" || outcome === "skipped");
  if (failed) throw refused(`"${failed.name}" failed on this call. Exceptions do not apply to failures. Fix the hook.`);
  const denying = hooks.filter(({ said }) => DENIES.has(said));
  if (denying.length === 0) throw refused("No rule of a policy denied this call here.");
  const call = callOf(found.input);
  const text = JSON.stringify(call.tool_input ?? {});
  // A call that was stored before a mask was added must not be copied.
  const masking = await findMasking(pool, reader.workspaceId);
  const safe = pgText(masking.text(masking.json(text, "tool_input", call)));
  if (safe !== text || text.includes(MASKED) || text.length > INPUT_CHARS_MAX || !hasExactNumbers(call.tool_input))
    throw refused("Part of this call's input is masked, too long or not exact, so an exception is not possible.");
  return {
    ...bindingOf(call),
    number: null,
    agentId: found.agentId,
    agentName: found.agentName,
    input: text,
    isWhole: true,
    peopleNeeded: 1,
    askedAt: found.receivedAt,
    askedBy: denying.map(({ policy, revision, path, name }) => ({ policy, revision, path, name })),
    lifts: "verdict" as const,
  };
}

function callOf(text: string): {
  readonly session_id?: unknown;
  readonly tool_name?: unknown;
  readonly tool_input?: unknown;
} {
  const call = parseJson(text);
  if (typeof call !== "object" || call === null || Array.isArray(call))
    throw refused("The input of this call has been erased, so an exception is not possible.");
  return call;
}
