/** The switch that makes a policy's publication need a second person. Off takes two people as well. */
import { type Administrator, isAccount } from "../access/actor.ts";
import { holdersOf } from "../access/permissions.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import { areTwoPeople, independenceIn } from "./independence.ts";
import * as reviews from "./repository.ts";
import type { SetFourEyes } from "./schema.ts";
import { CHANGE, reasonAgainstDeciding } from "./second-person.ts";

/**
 * Switches four eyes on at once, if another person could approve. Switching off takes two steps: one person asks, and
 * another one agrees by the same call. Switching on withdraws the request.
 *
 * Errors: `second_person_needed` with the reason.
 */
export async function setFourEyes(db: Database, bus: Bus, actor: Administrator, input: SetFourEyes): Promise<void> {
  const { workspaceId } = actor;
  await announcedTransaction({ db, bus }, workspaceId, ["reviews", "exceptions"], async (tx) => {
    const policy = await reviews.findPolicyForUpdate(tx, workspaceId, input.policyId);
    if (!policy) throw new AppError("policy_not_found");
    const asked = policy.fourEyesOffBy === null ? null : askedOf(policy.fourEyesOffBy, policy);
    if (input.isOn) await switchOn(tx, actor, policy, asked !== null);
    else if (policy.fourEyes) await switchOff(tx, actor, policy.id, asked);
  });
}

interface Asked {
  readonly id: string;
  readonly name: string;
  readonly at: Date;
}

const askedOf = (
  id: string,
  { fourEyesOffName, fourEyesOffAt }: { readonly fourEyesOffName: string | null; readonly fourEyesOffAt: Date | null },
): Asked => ({ id, name: fourEyesOffName ?? "", at: fourEyesOffAt ?? new Date(0) });

async function switchOn(
  tx: Tx,
  actor: Administrator,
  policy: { readonly id: string; readonly fourEyes: boolean },
  isAsked: boolean,
): Promise<void> {
  if (policy.fourEyes && !isAsked) return;
  if (!policy.fourEyes && !(await hasSecondPerson(tx, actor)))
    throw new AppError("second_person_needed", policy.id, {
      says: "No other person can review, or their account is linked to yours. With four eyes on, publishing would be impossible. Invite a reviewer with a verified address (by mail or sign-on).",
    });
  await reviews.updateFourEyes(tx, actor.workspaceId, policy.id, { isOn: true, offBy: null });
  const about = { by: actor.name, policy: policy.id };
  if (policy.fourEyes)
    await recordAudit(tx, actor, { kind: "four_eyes_off_asked", version: 1, ...about, isWithdrawn: true });
  else {
    await recordAudit(tx, actor, { kind: "four_eyes_set", version: 1, ...about, isOn: true, asked: null });
    await endExceptions(tx, actor, policy.id);
  }
}

/**
 * True if another person could review the actor's text; for the machine, if one reviewer could review another's text.
 */
async function hasSecondPerson(tx: Tx, { workspaceId, id }: Administrator): Promise<boolean> {
  const reviewers = await reviews.listPeople(tx, workspaceId, holdersOf("policy:review"));
  const independence = await independenceIn(tx, workspaceId);
  const authors = isAccount(id) ? [id] : reviewers;
  return authors.some((author) => reviewers.some((one) => areTwoPeople(independence, author, one)));
}

/** An exception that one person made does not outlive the day from which two decide. */
async function endExceptions(tx: Tx, actor: Administrator, policyId: string): Promise<void> {
  const ended = await reviews.endExceptionsOf(tx, actor.workspaceId, policyId, {
    by: actor.name,
    reason: EXCEPTIONS_END,
  });
  for (const { id, number, about } of ended)
    await recordAudit(tx, actor, {
      ...{ kind: "exception_ended", version: 1, by: actor.name, exception: id, number, about, reason: EXCEPTIONS_END },
    });
}

const EXCEPTIONS_END = "The policy now requires four eyes.";

async function switchOff(tx: Tx, actor: Administrator, policyId: string, asked: Asked | null): Promise<void> {
  if (actor.kind !== "person")
    throw new AppError("second_person_needed", policyId, {
      says: "Turning off four eyes requires two people, not a script or a service account.",
    });
  if (asked?.id === actor.id)
    throw new AppError("second_person_needed", policyId, {
      says: "You have already requested this. Another person must agree.",
    });
  const { workspaceId } = actor;
  const about = { by: actor.name, policy: policyId };
  if (asked !== null) {
    const written = { authorId: asked.id, editors: [], at: asked.at };
    const reason = reasonAgainstDeciding(actor, written, await independenceIn(tx, workspaceId), CHANGE);
    if (reason !== null) throw new AppError("second_person_needed", policyId, { says: reason });
  }
  if (asked === null) {
    await reviews.updateFourEyes(tx, workspaceId, policyId, { isOn: true, offBy: actor });
    await recordAudit(tx, actor, { kind: "four_eyes_off_asked", version: 1, ...about, isWithdrawn: false });
  } else {
    await reviews.updateFourEyes(tx, workspaceId, policyId, { isOn: false, offBy: null });
    await recordAudit(tx, actor, {
      kind: "four_eyes_set",
      version: 1,
      ...about,
      isOn: false,
      asked: { id: asked.id, name: asked.name },
    });
  }
}
