/** The allowances of requests that need two people: whose count, and how many more it takes. */
import type { Administrator } from "../access/actor.ts";
import { holdersOf } from "../access/permissions.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database, Tx } from "../platform/db.ts";
import { selectIn } from "../platform/select.ts";
import { areTwoPeople, independenceIn } from "../reviews/index.ts";
import { listHolders } from "./makers-repository.ts";
import { listOwners, ownAgentsOf } from "./own-agents.ts";
import * as requests from "./requests-repository.ts";
import type { ApprovalView } from "./schema.ts";

/** Errors: `forbidden` for a script: it cannot be one of the two people. */
export function requirePerson(actor: Administrator, { peopleNeeded }: Pick<requests.RequestRow, "peopleNeeded">): void {
  if (peopleNeeded > 1 && actor.kind === "script") throw new AppError("forbidden", actor.kind, { says: NO_PERSON });
}

const NO_PERSON =
  "A script is not one of the two people that this call needs. Two people have to sign in and allow it on the page Approvals; a script can deny it.";

/**
 * The people whose allowances count together with the actor's, without those who may no longer answer for the agent.
 * Errors: `approval_answered_twice`, for an account with the same person behind it.
 */
export async function otherAllowers(
  tx: Tx,
  { workspaceId, id }: Administrator,
  request: Pick<requests.RequestRow, "id" | "agentId">,
): Promise<readonly string[]> {
  const allowers = await requests.listAllowers(tx, workspaceId, request.id, holdersOf("approval:decide"));
  const given = allowers.filter((one) => one !== id);
  if (given.length === 0) return given;
  const owners = await listOwners(selectIn(tx), workspaceId, request.agentId, given);
  const others = given.filter((one) => !owners.has(one));
  if (others.length === 0) return others;
  const independence = await independenceIn(tx, workspaceId);
  if (others.every((one) => areTwoPeople(independence, id, one))) return others;
  throw new AppError("approval_answered_twice", undefined, { says: SAME_PERSON });
}

const SAME_PERSON =
  "Your account, or that of the person who agreed before, was made by a link that the other one saw, and its address is not proven, so you count as one person. Verify the address (by mail or sign-on), or let another person answer.";

type AllowanceView = Pick<ApprovalView, "answers" | "moreNeeded" | "ownAllowance">;

/** The state of each request's allowances for the reader, by the same rules as an answer. */
export async function allowanceViews(
  { prisma }: Pick<Database, "prisma">,
  { workspaceId, id }: Pick<Administrator, "workspaceId" | "id">,
  open: readonly requests.RequestRow[],
): Promise<(request: requests.RequestRow) => AllowanceView> {
  if (!open.some(({ answers }) => answers.length > 0)) return viewWithoutPeople;
  const allowers = new Set(open.flatMap(({ answers }) => answers.map(({ personId }) => personId)));
  const [holders, independence, owned] = await Promise.all([
    listHolders(selectIn(prisma), workspaceId, holdersOf("approval:decide")),
    independenceIn(prisma, workspaceId),
    ownAgentsOf(selectIn(prisma), workspaceId, [...allowers]),
  ]);
  return (request) => {
    const { answers, peopleNeeded } = request;
    if (request.state !== "pending") return viewWithoutPeople(request);
    const counted = answers.filter(
      ({ personId, isAllow }) => isAllow && holders.includes(personId) && !owned.get(personId)?.has(request.agentId),
    );
    const isSame = counted.some(({ personId }) => !areTwoPeople(independence, id, personId));
    const isOwn = answers.some(({ personId }) => personId === id);
    return {
      answers: answers.map((answer) => ({ ...answered(answer), isCounted: counted.includes(answer) })),
      // At least 1: a person must still answer, even if enough earlier answers count again because a role was restored.
      moreNeeded: Math.max(peopleNeeded - counted.length, 1),
      ownAllowance: isOwn ? "given" : isSame ? "same_person" : "none",
    };
  };
}

const viewWithoutPeople = ({ answers, state, peopleNeeded }: requests.RequestRow): AllowanceView => ({
  answers: answers.map((answer) => ({ ...answered(answer), isCounted: true })),
  moreNeeded: state === "pending" ? peopleNeeded : 0,
  ownAllowance: "none",
});

/** JSON has no dates. */
const answered = (answer: requests.RequestRow["answers"][number]) => ({
  ...answer,
  answeredAt: new Date(answer.answeredAt),
});
