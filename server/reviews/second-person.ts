/** The rules for the second person: decided by the ids of the actor and of those behind the account, never by name. */
import type { Administrator } from "../access/actor.ts";
import { may, reasonAgainst } from "../access/permissions.ts";
import { areTwoPeople, type Independence } from "./independence.ts";

export interface Authored {
  readonly authorId: string;
  readonly editors: readonly { readonly actorId: string }[];
  /** The time when it was submitted or requested. */
  readonly at: Date;
}

export interface DecidingWords {
  readonly own: string;
  readonly edited: string;
}

const REVIEW: DecidingWords = {
  own: "You sent this for review. Another person must approve it.",
  edited: "You edited this draft. A person who has not edited it must approve it.",
};
export const CHANGE: DecidingWords = { ...REVIEW, own: "You requested this. Another person must agree." };

/** The reason why this actor may not approve a text or a change, or request changes; null when they may. */
export function reasonAgainstDeciding(
  actor: Administrator,
  { authorId, editors, at }: Authored,
  independence: Independence,
  words: DecidingWords = REVIEW,
): string | null {
  if (actor.kind !== "person") return "Only a person can review, not a script or a service account.";
  if (!may(actor, "policy:review")) return reasonAgainst("policy:review");
  if (actor.id === authorId) return words.own;
  const authors = editors.map(({ actorId }) => actorId);
  if (authors.includes(actor.id)) return words.edited;
  const joinedAt = independence.joinedAt(actor.id);
  if (joinedAt === null || joinedAt > at)
    return "You joined after this was sent. A person who was a member before must decide.";
  if ([authorId, ...authors].some((other) => independence.behind(other) === null)) return AUTHOR_GONE;
  if (![authorId, ...authors].every((other) => areTwoPeople(independence, actor.id, other))) return SAME_PERSON;
  return null;
}

const AUTHOR_GONE =
  "An account that wrote this text has no known creator, so it does not count as a second person. Discard the draft and send the text again.";

const SAME_PERSON =
  "Your account, or an author's account, was created with a link that the other side saw, and its address is not verified. Verify the address (by mail or sign-on), or let another person decide.";
