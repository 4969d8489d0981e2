/**
 * Removes the names of a person from the record: salts and names are deleted, their digests stay in the chain, and
 * pages show "an erased person". The two entries about the erasure hold no name. Each locks the chain's head, which
 * gates wait for, only briefly. After a crash between them, repeating the request removes the remaining names.
 */
import type { Administrator } from "../../access/actor.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { eraseOf, findToErase } from "../../principals/index.ts";
import { deleteNames, findPerson, hasNames, isMember } from "../names-repository.ts";
import { transaction } from "../repository.ts";
import { append } from "../retention/retention-repository.ts";
import type { ErasedPerson, ErasePerson } from "../schema.ts";

/** Without the person, these policies would silently stop applying to agents. */
const stillBound = (names: readonly string[]): string =>
  `Policies are assigned to this person, or reach agents through their groups: ${names.join(", ")}. Assign them to the agents instead, or give the agents another owner. Then erase the person.`;

/** Names that one statement removes. */
const STEP_ROWS = 5_000;

/** Errors: `person_not_found` when no entry names them; `invalid_input` while they are a member. */
export async function erasePerson(
  db: Database,
  bus: Pick<Bus, "tell">,
  actor: Administrator,
  { person: asked, reason }: ErasePerson,
): Promise<ErasedPerson> {
  const { workspaceId } = actor;
  const { pool } = db;
  const found = await findPerson(pool, asked);
  const behind = await findToErase(pool, workspaceId, found);
  if (behind.isMember || (found.id !== null && (await isMember(pool, workspaceId, found.id))))
    throw new AppError("invalid_input", undefined, {
      says: "This person is a member of the workspace, and what they do is recorded. Remove them first.",
      pointer: "/person",
    });
  if (behind.policies.length > 0)
    throw new AppError("invalid_input", undefined, { says: stillBound(behind.policies), pointer: "/person" });
  if (behind.ids.length === 0 && !(await hasNames(pool, workspaceId, found)))
    throw new AppError("person_not_found", undefined, {
      says: "No entry of the record holds a name of this person. Give the address or the id that an entry shows.",
    });
  const request = uuidv7();
  await transaction(pool, (client) =>
    append(client, actor, { kind: "erasure_requested", version: 1, by: actor.name, request, reason }),
  );
  await transaction(pool, (client) => eraseOf(client, workspaceId, behind.ids, found.id));
  let copies = behind.ids.length;
  for (const named of [found, ...behind.ids.map((id) => ({ id, address: null }))])
    for (;;) {
      const gone = await deleteNames(pool, workspaceId, named, STEP_ROWS);
      if (gone === 0) break;
      copies += gone;
    }
  await transaction(pool, (client) =>
    append(client, workspaceId, { kind: "erasure_finished", version: 1, request, erased: 0, copies, held: 0 }),
  );
  bus.tell(workspaceId, ["audit", "agents", "budgets", "keys"]);
  return { names: copies };
}
