/** Creates an erasure request, shows its progress, and withdraws it. The jobs process carries it out (erasure.ts). */
import type { Administrator } from "../../access/actor.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { transaction } from "../repository.ts";
import { append } from "../retention/retention-repository.ts";
import type { ErasureView, RequestErasure } from "../schema.ts";
import * as requests from "./erasure-requests-repository.ts";

/** Each that stands reads every new batch of its workspace. */
const STANDING_MAX = 100;

type Tell = Pick<Bus, "tell">;

/** Errors: `invalid_input` when too many stand already. */
export async function requestErasure(
  db: Database,
  bus: Tell,
  actor: Administrator,
  input: RequestErasure,
): Promise<{ id: string }> {
  const id = uuidv7();
  // The end of the id is random; its beginning is the time.
  const alias = `erased-${id.slice(-8)}`;
  await transaction(db.pool, async (client) => {
    const { reason } = input;
    await append(client, actor, { kind: "erasure_requested", version: 1, by: actor.name, request: id, reason });
    // The chain's head is locked: no record can be written between its number and this request, and requests are
    // serialised.
    if ((await requests.countOpen(client, actor.workspaceId)) >= STANDING_MAX)
      throw new AppError("invalid_input", undefined, {
        says: `${STANDING_MAX} requests stand already. Withdraw one first.`,
        pointer: "/reason",
      });
    const requestedById = actor.kind === "person" ? actor.id : null;
    await requests.insert(client, actor.workspaceId, { id, alias, requestedBy: actor.name, requestedById, ...input });
  });
  bus.tell(actor.workspaceId, ["audit"]);
  return { id };
}

/** The newest first. */
export function listErasures(db: Database, workspaceId: string): Promise<ErasureView[]> {
  return requests.list(db.pool, workspaceId);
}

/** Later reports are stored again, and the request forgets whose content it was. Errors: `not_found`. */
export async function withdrawErasure(db: Database, bus: Tell, actor: Administrator, id: string): Promise<void> {
  await transaction(db.pool, async (client) => {
    if (!(await requests.withdraw(client, actor.workspaceId, id, actor.name))) throw new AppError("not_found", id);
    await append(client, actor, { kind: "erasure_withdrawn", version: 1, by: actor.name, request: id });
  });
  bus.tell(actor.workspaceId, ["audit"]);
}
