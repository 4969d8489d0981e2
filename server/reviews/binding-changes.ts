/**
 * Changes of assignments for which a policy requires four eyes: one person requests a change, another approves exactly
 * that, and then anyone with the permission makes it. In an emergency one person makes it, with a reason.
 */
import superjson from "superjson";
import type { Administrator } from "../access/actor.ts";
import { orderGroups, setGroupMembers, setTags } from "../agents/index.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import * as policies from "../policies/index.ts";
import { setOwner } from "../principals/index.ts";
import { independenceIn } from "./independence.ts";
import {
  type BindingRequest,
  bindingRequest,
  CHANGE_STATES,
  type ChangeById,
  type ChangeInEmergency,
  type ChangeView,
  type DecideChange,
  type RequestChange,
} from "./schema.ts";
import { CHANGE, reasonAgainstDeciding } from "./second-person.ts";

const { ChangeAsked } = policies;

/** The runners for a text that a change puts in force. */
type Cases = Pick<policies.InForceOptions, "findPrograms" | "failing">;

/**
 * Asks a second person to approve a change. Errors: those of the change itself; `invalid_input` when no second person
 * is needed.
 */
export async function requestChange(
  db: Database,
  bus: Bus,
  actor: Administrator,
  { change, note }: RequestChange,
  cases: Cases = {},
): Promise<{ changeId: string }> {
  const asked = await make(db, bus, actor, change, { authority: { kind: "ask" }, ...cases }).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ChangeAsked) return error.request;
      throw error;
    },
  );
  if (!asked) throw new Error("a change was made that should have stopped at the gate");
  await announcedTransaction({ db, bus }, actor.workspaceId, ["reviews"], async (tx) => {
    await policies.bindingChanges.insert(tx, actor.workspaceId, { ...asked, note, state: "open" });
    await recordAudit(tx, actor, {
      ...{ kind: "binding_change_requested", version: 1, by: actor.name },
      ...{ change: asked.id, policies: [...asked.policyIds], summary: asked.summary, note },
    });
  });
  return { changeId: asked.id };
}

/** A second person's word. Errors: `second_person_needed`, `review_settled`. */
export async function decideChange(db: Database, bus: Bus, actor: Administrator, input: DecideChange): Promise<void> {
  const { workspaceId } = actor;
  await announcedTransaction({ db, bus }, workspaceId, ["reviews"], async (tx) => {
    const found = await requireChange(tx, workspaceId, input.changeId);
    requireState(found, ["open"]);
    const asked = { authorId: found.requestedBy, editors: [], at: found.createdAt };
    const reason = reasonAgainstDeciding(actor, asked, await independenceIn(tx, workspaceId), CHANGE);
    if (reason !== null) throw new AppError("second_person_needed", found.id, { says: reason });
    const decided = { decidedBy: actor.id, decidedName: actor.name, decidedAt: new Date() };
    await policies.bindingChanges.updateState(tx, workspaceId, found.id, { state: input.outcome, ...decided });
    await recordDecided(tx, actor, found, input.outcome);
  });
}

/** Withdraws a request. Errors: `review_settled`; `second_person_needed` for another person's request. */
export async function withdrawChange(db: Database, bus: Bus, actor: Administrator, input: ChangeById): Promise<void> {
  await announcedTransaction({ db, bus }, actor.workspaceId, ["reviews"], async (tx) => {
    const found = await requireChange(tx, actor.workspaceId, input.changeId);
    requireState(found, ["open", "approved"]);
    if (found.requestedBy !== actor.id)
      throw new AppError("second_person_needed", found.id, {
        says: "Only the person who requested the change can withdraw it.",
      });
    await policies.bindingChanges.updateState(tx, actor.workspaceId, found.id, { state: "withdrawn" });
    await recordDecided(tx, actor, found, "withdrawn");
  });
}

/** Makes the change that was approved. Errors: those of the change; `review_settled`; `policy_moved_on`. */
export async function applyChange(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: ChangeById,
  cases: Cases = {},
): Promise<void> {
  const found = await policies.bindingChanges.find(db.prisma, actor.workspaceId, input.changeId);
  if (!found) throw new AppError("review_not_found", input.changeId);
  requireState(found, ["approved"]);
  const stored = bindingRequest.parse({ kind: found.kind, input: superjson.parse(found.input) });
  await make(db, bus, actor, stored, { authority: { kind: "approved", changeId: found.id }, ...cases });
  bus.tell(actor.workspaceId, ["reviews"]);
}

/** Makes a change alone although two people are required, on record. Errors: those of the change; `forbidden`. */
export async function changeInEmergency(
  db: Database,
  bus: Bus,
  actor: Administrator,
  { change, reason }: ChangeInEmergency,
  cases: Cases = {},
): Promise<void> {
  await make(db, bus, actor, change, { authority: { kind: "emergency", reason }, ...cases });
  bus.tell(actor.workspaceId, ["reviews"]);
}

const SHOWN_DAYS = 30;
const SHOWN_MAX = 200;
const DECLINED_MAX = 20;
const DECLINED_MS = 7 * 24 * 3_600_000;

/**
 * Pending requests, approved ones, and recent emergency changes; the newest first. The requester also sees declined
 * requests for a week.
 */
export async function listChanges(db: Database, actor: Administrator): Promise<ChangeView[]> {
  const from = new Date(Date.now() - SHOWN_DAYS * 24 * 3_600_000);
  const states = ["open", "approved", "emergency"] as const;
  const { workspaceId } = actor;
  const [shown, declined] = await Promise.all([
    policies.bindingChanges.list(db.prisma, workspaceId, states, from, SHOWN_MAX),
    policies.bindingChanges.listDeclined(
      db.prisma,
      workspaceId,
      actor.id,
      new Date(Date.now() - DECLINED_MS),
      DECLINED_MAX,
    ),
  ]);
  const rows = [...shown, ...declined].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const independence = await independenceIn(db.prisma, actor.workspaceId);
  return rows.map((row) => {
    const { id, policyIds, summary, note, requestedBy, requestedName, createdAt, decidedName } = row;
    const asked = { authorId: requestedBy, editors: [], at: createdAt };
    return {
      ...{ id, policyIds, summary, note, requestedName, createdAt, decidedName },
      // Holds: the column's own CHECK.
      state: CHANGE_STATES.find((state) => state === row.state) ?? "withdrawn",
      isMine: requestedBy === actor.id,
      whyNot: reasonAgainstDeciding(actor, asked, independence, CHANGE),
    };
  });
}

function make(
  db: Database,
  bus: Bus,
  actor: Administrator,
  { kind, input }: BindingRequest,
  options: policies.InForceOptions & { readonly authority: policies.Authority },
): Promise<unknown> {
  const { authority } = options;
  switch (kind) {
    case "assign":
      return policies.assign(db, bus, actor, input, authority);
    case "roll_back":
      return policies.rollBack(db, bus, actor, input, options);
    case "set_canary":
      return policies.setCanary(db, bus, actor, input, options);
    case "end_canary":
      return policies.endCanary(db, bus, actor, input, options);
    case "observe":
      return policies.observe(db, bus, actor, input, authority);
    case "monitor_rule":
      return policies.monitorRule(db, bus, actor, input, authority);
    case "reorder":
      return policies.reorder(db, bus, actor, input, authority);
    case "remove":
      return policies.remove(db, bus, actor, input.policyId, authority);
    case "set_group_members":
      return setGroupMembers(db, bus, actor, input, authority);
    case "set_agent_tags":
      return setTags(db, bus, actor, input, authority);
    case "set_agent_owner":
      return setOwner(db, bus, actor, input, authority);
    case "order_groups":
      return orderGroups(db, bus, actor, input, authority);
  }
}

type Found = NonNullable<Awaited<ReturnType<typeof policies.bindingChanges.find>>>;

async function requireChange(tx: Tx, workspaceId: string, id: string): Promise<Found> {
  const found = await policies.bindingChanges.findForUpdate(tx, workspaceId, id);
  if (!found)
    throw new AppError("review_not_found", id, {
      says: "This request does not exist, or it belongs to another workspace.",
    });
  return found;
}

function requireState({ id, state }: Found, wanted: readonly string[]): void {
  if (wanted.includes(state)) return;
  throw new AppError("review_settled", id, { says: "This request is already closed. Reload to see the result." });
}

function recordDecided(
  tx: Tx,
  actor: Administrator,
  { id, policyIds, summary }: Found,
  outcome: "approved" | "declined" | "withdrawn",
): Promise<void> {
  const about = { change: id, policies: [...policyIds], summary };
  return recordAudit(tx, actor, { kind: "binding_change_decided", version: 1, by: actor.name, ...about, outcome });
}
