/** The allowances of requests that need two people: whose may be given, and whose count. */
import type { Administrator } from "../access/actor.ts";
import { holdersOf } from "../access/permissions.ts";
import { AppError } from "../errors/app-error.ts";
import type { Tx } from "../platform/db.ts";
import { areTwoPeople, independenceIn } from "../reviews/service.ts";
import * as requests from "./requests-repository.ts";

/** Errors: `forbidden`, for a script: it is nobody, and so none of two people. */
export function requirePerson(actor: Administrator, { peopleNeeded }: Pick<requests.RequestRow, "peopleNeeded">): void {
  if (peopleNeeded > 1 && actor.kind === "script") throw new AppError("forbidden", actor.kind, { says: NO_PERSON });
}

const NO_PERSON =
  "A script is not one of the two people that this call needs. Two people have to sign in and allow it on the page Approvals; a script can deny it.";

/** Those whose allowance counts beside the actor's. Errors: `approval_answered_twice`, for an account with the same person behind it. */
export async function otherAllowers(
  tx: Tx,
  { workspaceId, id }: Administrator,
  requestId: string,
): Promise<readonly string[]> {
  const allowers = await requests.listAllowers(tx, workspaceId, requestId, holdersOf("approval:decide"));
  const others = allowers.filter((one) => one !== id);
  if (others.length === 0) return others;
  const independence = await independenceIn(tx, workspaceId);
  if (others.every((one) => areTwoPeople(independence, id, one))) return others;
  throw new AppError("approval_answered_twice", undefined, { says: SAME_PERSON });
}

const SAME_PERSON =
  "Your account, or that of the person who agreed before, was made by a link that the other one saw, and its address is not proven, so you count as one person. Prove the address (by mail or sign-on), or let somebody else answer.";
