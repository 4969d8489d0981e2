/** Who can be the second person: told by the id of who acts, never by a name. */
import type { Administrator } from "../access/actor.ts";
import { may, reasonAgainst } from "../access/permissions.ts";

export interface Authored {
  readonly authorId: string;
  readonly editors: readonly { readonly actorId: string }[];
}

/** Why this actor cannot approve a text or ask for changes of it; null when they can. */
export function reasonAgainstDeciding(actor: Administrator, { authorId, editors }: Authored): string | null {
  if (actor.kind !== "person") return "Only a person can review: a script or a service account has no eyes.";
  if (!may(actor, "policy:review")) return reasonAgainst("policy:review");
  if (actor.id === authorId) return "You sent this for review; somebody else has to approve it.";
  if (editors.some(({ actorId }) => actorId === actor.id))
    return "You edited this draft; somebody who has not has to approve it.";
  return null;
}
