/** Follow-ups of calls. They change no verdict and no record; an assignment has an entry in the audit log. */
import type { Administrator } from "../access/actor.ts";
import { holdersOf, may, requireMay } from "../access/permissions.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database, Pool, Tx } from "../platform/db.ts";
import { uuidOfText, uuidv7 } from "../platform/ids.ts";
import type { EventKey } from "../recording/event-key-schema.ts";
import type { FollowUpMark } from "./follow-up-mark-schema.ts";
import * as followUps from "./repository.ts";
import {
  type AssignCalls,
  COMMENTS_MAX,
  type FollowUpView,
  KEYWORDS_MAX,
  type SetKeyword,
  type WriteComment,
} from "./schema.ts";

export interface FollowUpWorld {
  readonly db: Database;
  readonly bus: Bus;
}

/** The id of a call's follow-up, whichever of its decisions is given. */
export const followUpIdOf = ({ id, agentId, sessionId, toolUseId }: followUps.CallName & { readonly id: string }) =>
  toolUseId === null ? id : uuidOfText(JSON.stringify(["follow-up", agentId, sessionId, toolUseId]));

/** Errors: `dispatch_not_found`. */
export async function get({ prisma, pool }: Database, actor: Administrator, key: EventKey): Promise<FollowUpView> {
  const { workspaceId } = actor;
  const id = followUpIdOf(await namedCall(prisma, workspaceId, key));
  const [[mark], rows] = await Promise.all([
    followUps.listMarks(pool, workspaceId, [id]),
    followUps.listComments(prisma, workspaceId, id, COMMENTS_MAX),
  ]);
  const comments = rows.map(({ authorId, ...row }) => ({ ...row, isRemovable: canRemove(actor, authorId) }));
  return { keywords: mark?.keywords ?? [], assignee: mark?.assignee ?? null, comments };
}

const canRemove = (actor: Administrator, authorId: string): boolean =>
  (authorId === actor.id && may(actor, "call:follow-up")) || may(actor, "record:manage");

/** Errors: `dispatch_not_found`; `invalid_input` when the call has `COMMENTS_MAX` comments. */
export function comment(world: FollowUpWorld, actor: Administrator, { call: key, text }: WriteComment): Promise<void> {
  const { workspaceId } = actor;
  return announcedTransaction(world, workspaceId, ["decisions"], async (tx) => {
    const call = await namedCall(tx, workspaceId, key);
    const followUpId = followUpIdOf(call);
    await followUps.lock(tx, workspaceId, followUpId, call);
    if ((await followUps.countComments(tx, workspaceId, followUpId)) >= COMMENTS_MAX)
      throw new AppError("invalid_input", undefined, {
        says: `This call has ${COMMENTS_MAX} comments. Remove one first.`,
        pointer: "/text",
      });
    const own = { id: uuidv7(), followUpId, authorId: actor.id, author: actor.name, text };
    await followUps.insertComment(tx, workspaceId, call, own);
  });
}

/** Removes one's own comment, or any as a person who manages the record. Does nothing when it is gone. Errors: `forbidden`. */
export function removeComment(world: FollowUpWorld, actor: Administrator, id: string): Promise<void> {
  const { workspaceId } = actor;
  return announcedTransaction(world, workspaceId, ["decisions"], async (tx) => {
    const found = await followUps.findComment(tx, workspaceId, id);
    if (found === null) return;
    if (!canRemove(actor, found.authorId)) requireMay(actor, "record:manage");
    await followUps.removeComment(tx, workspaceId, id);
  });
}

/** Errors: `dispatch_not_found`; `person_not_found` when the assignee is no member who can follow calls up. */
export function assign(world: FollowUpWorld, actor: Administrator, { calls, assigneeId }: AssignCalls): Promise<void> {
  const { workspaceId } = actor;
  return announcedTransaction(world, workspaceId, ["decisions", "audit"], async (tx) => {
    const assignee = assigneeId === null ? null : await findMember(tx, workspaceId, assigneeId);
    const changed: followUps.NamedCall[] = [];
    for (const [id, call] of await lockAll(tx, workspaceId, calls))
      if (await followUps.assign(tx, workspaceId, id, assignee)) changed.push(call);
    const [first] = changed;
    if (first === undefined) return;
    await recordAudit(tx, actor, {
      ...{ kind: "calls_assigned", version: 1, by: actor.name },
      ...{ person: assignee?.id ?? null, count: changed.length },
      ...{ occurredAt: first.occurredAt.toISOString(), dispatch: first.id },
    });
  });
}

/** A member whom calls and rules can be assigned to. Errors: `person_not_found`. */
export async function findMember(tx: Tx, workspaceId: string, id: string) {
  const [member] = await followUps.listMembers(tx, workspaceId, { roles: holdersOf("call:follow-up"), id });
  if (member === undefined)
    throw new AppError("person_not_found", undefined, {
      says: "This person is no member of the workspace, or may not follow calls up.",
    });
  return { id: member.id, name: member.name };
}

/** Errors: `dispatch_not_found`; `invalid_input` when a call has `KEYWORDS_MAX` keywords. */
export function setKeyword(world: FollowUpWorld, actor: Administrator, input: SetKeyword): Promise<void> {
  const { workspaceId } = actor;
  const { name: word, isSet } = input;
  return announcedTransaction(world, workspaceId, ["decisions"], async (tx) => {
    for (const [id] of await lockAll(tx, workspaceId, input.calls)) {
      if (!isSet) await followUps.removeKeyword(tx, workspaceId, id, word);
      else if (!(await followUps.addKeyword(tx, workspaceId, id, { word, limit: KEYWORDS_MAX })))
        throw new AppError("invalid_input", undefined, {
          says: `A call has at most ${KEYWORDS_MAX} keywords. Remove one first.`,
          pointer: "/name",
        });
    }
  });
}

/** Locks the follow-ups in the order of their ids: two acts on the same calls wait for each other, and do not block. */
async function lockAll(tx: Tx, workspaceId: string, keys: readonly EventKey[]) {
  const calls = await followUps.listNamed(tx, workspaceId, keys);
  if (calls.length < new Set(keys.map(({ id }) => id)).size) throw new AppError("dispatch_not_found");
  const byId = new Map(calls.map((call) => [followUpIdOf(call), call]));
  const ordered = [...byId].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [id, call] of ordered) await followUps.lock(tx, workspaceId, id, call);
  return ordered;
}

async function namedCall(tx: Tx, workspaceId: string, key: EventKey): Promise<followUps.NamedCall> {
  const [call] = await followUps.listNamed(tx, workspaceId, [key]);
  if (call === undefined) throw new AppError("dispatch_not_found");
  return call;
}

export const listPeople = async ({ prisma }: Database, workspaceId: string) =>
  (await followUps.listMembers(prisma, workspaceId, { roles: holdersOf("call:follow-up") })).map(({ id, name }) => ({
    id,
    name,
  }));

export const listKeywords = ({ pool }: Database, workspaceId: string) => followUps.listKeywords(pool, workspaceId);

/** The follow-ups of calls in a list, by their ids. */
export async function findMarks(
  pool: Pool,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FollowUpMark>> {
  const rows = ids.length === 0 ? [] : await followUps.listMarks(pool, workspaceId, ids);
  return new Map(rows.map(({ id, ...mark }) => [id, mark]));
}
