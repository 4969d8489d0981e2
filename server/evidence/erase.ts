/**
 * Takes the content of dispatches away, on request: what was asked, answered and said is gone from every table. Their
 * leaves stay, made of the content's salted digest, so the chain is as whole as before; the salt goes too, so that the
 * content cannot be guessed from it.
 */
import type { Administrator } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import * as rows from "./erase-repository.ts";
import { transaction } from "./repository.ts";
import { append } from "./retention-repository.ts";
import type { EraseContent } from "./schema.ts";

const STEPS_MAX = 1_000;

/** How many were erased, and how many stayed because a hold covers them. Errors: `invalid_input` when nobody is named. */
export async function erase(
  db: Database,
  actor: Administrator,
  input: EraseContent,
): Promise<{ erased: number; held: number }> {
  const { sessionId, agentName, reason } = input;
  if (sessionId === null && agentName === null)
    throw new AppError("invalid_input", undefined, { says: "Name a session or an agent.", pointer: "/sessionId" });
  let erased = 0;
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const count = await transaction(db.pool, async (client) => {
      const ids = await rows.eraseSome(client, actor.workspaceId, input);
      if (ids.length === 0) return 0;
      const dispatches = ids.map((id) => id.replaceAll("-", "")).join("");
      const whom = { session: sessionId, person: agentName };
      await append(client, actor, {
        kind: "content_erased",
        version: 1,
        by: actor.name,
        reason,
        ...whom,
        dispatches,
      });
      return ids.length;
    });
    erased += count;
    if (count < rows.STEP_ROWS) break;
  }
  return { erased, held: await rows.countHeld(db.pool, actor.workspaceId, input) };
}
