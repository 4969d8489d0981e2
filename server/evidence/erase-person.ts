/**
 * Takes the names of a person out of the record: salts and names go, their digests stay in the chain, and pages say "an erased
 * person". One transaction with the two entries that say so; they name nobody.
 */
import type { Administrator } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../live/service.ts";
import type { Database } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { deleteNames, findPerson, isMember } from "./names-repository.ts";
import { transaction } from "./repository.ts";
import { append } from "./retention-repository.ts";
import type { ErasedPerson, ErasePerson } from "./schema.ts";

/** Errors: `person_not_found` when no entry names them; `invalid_input` while they are a member. */
export async function erasePerson(
  db: Database,
  bus: Pick<Bus, "tell">,
  actor: Administrator,
  { person: asked, reason }: ErasePerson,
): Promise<ErasedPerson> {
  const { workspaceId } = actor;
  const request = uuidv7();
  const names = await transaction(db.pool, async (client) => {
    // Locks the chain's head: no entry that names them comes between.
    await append(client, actor, { kind: "erasure_requested", version: 1, by: actor.name, request, reason });
    const found = await findPerson(client, asked);
    if (found.id !== null && (await isMember(client, workspaceId, found.id)))
      throw new AppError("invalid_input", undefined, {
        says: "This person is a member of the workspace, and what they do is recorded. Remove them first.",
        pointer: "/person",
      });
    const copies = await deleteNames(client, workspaceId, found);
    if (copies === 0)
      throw new AppError("person_not_found", undefined, {
        says: "No entry of the record holds a name of this person. Give the address or the id that an entry shows.",
      });
    await append(client, workspaceId, { kind: "erasure_finished", version: 1, request, erased: 0, copies, held: 0 });
    return copies;
  });
  bus.tell(workspaceId, ["audit"]);
  return { names };
}
