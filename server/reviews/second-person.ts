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
  own: "You sent this for review; another person has to approve it.",
  edited: "You edited this draft; somebody who has not has to approve it.",
};
export const CHANGE: DecidingWords = { ...REVIEW, own: "You asked for this; somebody else has to agree." };

/** The reason why this actor may not approve a text or a change, or request changes; null when they may. */
export function reasonAgainstDeciding(
  actor: Administrator,
  { authorId, editors, at }: Authored,
  independence: Independence,
  words: DecidingWords = REVIEW,
): string | null {
  if (actor.kind !== "person") return "Only a person can review: a script or a service account has no eyes.";
  if (!may(actor, "policy:review")) return reasonAgainst("policy:review");
  if (actor.id === authorId) return words.own;
  const authors = editors.map(({ actorId }) => actorId);
  if (authors.includes(actor.id)) return words.edited;
  const joinedAt = independence.joinedAt(actor.id);
  if (joinedAt === null || joinedAt > at)
    return "You joined after this was sent; somebody who was here before has to decide.";
  if ([authorId, ...authors].some((other) => independence.behind(other) === null)) return AUTHOR_GONE;
  if (![authorId, ...authors].every((other) => areTwoPeople(independence, actor.id, other))) return SAME_PERSON;
  return null;
}

const AUTHOR_GONE =
  "It is not known who made an account that wrote this, so it does not count as a second person. Discard the draft and send the text anew.";

const SAME_PERSON =
  "Your account, or one of those who wrote this, was made by a link that the other side saw, and its address is not proven. Prove the address (by mail or sign-on), or let somebody else decide.";
