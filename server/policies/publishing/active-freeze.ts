/** The freeze of a workspace at an instant: set by a person until it is lifted, or by the calendar until its end. */
import type { Tx } from "../../platform/db.ts";
import * as policies from "../repository.ts";
import { listSpans, type SpanRow } from "./freeze-window-repository.ts";

export interface ActiveFreeze {
  /** The person who froze the workspace, or added the window. */
  readonly by: string;
  readonly since: Date;
  readonly reason: string;
  /** The end of a window, and of those that follow it without a gap; null until a person lifts the freeze. */
  readonly end: { readonly at: Date; readonly timeZone: string } | null;
}

/** Windows that follow each other are read this far ahead. */
const AHEAD_MS = 100 * 86_400_000;

/** Null if the workspace is not frozen at this instant. */
export async function findActiveFreeze(tx: Tx, workspaceId: string, at = new Date()): Promise<ActiveFreeze | null> {
  const set = await policies.findFreeze(tx, workspaceId);
  if (set) return { by: set.frozenBy, since: set.frozenAt, reason: set.reason, end: null };
  return spanAt(await listSpans(tx, workspaceId, { from: at, to: new Date(at.getTime() + AHEAD_MS) }), at);
}

/** The same of these occurrences, the earliest first. Lifted ones do not count. */
export function spanAt(spans: readonly SpanRow[], at: Date): ActiveFreeze | null {
  const open = spans.filter(({ isLifted }) => !isLifted);
  const first = open.find(({ startsAt, endsAt }) => startsAt <= at && at < endsAt);
  if (!first) return null;
  let last = first;
  for (const one of open) if (one.startsAt <= last.endsAt && one.endsAt > last.endsAt) last = one;
  const { createdBy: by, startsAt: since, reason } = first;
  return { by, since, reason, end: { at: last.endsAt, timeZone: last.timeZone } };
}

/** The freeze. Locks the workspace, so that none begins by an act of a person until the transaction ends. */
export async function findFreezeForShare(tx: Tx, workspaceId: string): Promise<ActiveFreeze | null> {
  await policies.lockForShare(tx, workspaceId);
  return findActiveFreeze(tx, workspaceId);
}

/** The freeze, after every change in progress of what is in force has ended; no other change begins. */
export async function findFreezeForUpdate(tx: Tx, workspaceId: string): Promise<ActiveFreeze | null> {
  await policies.lockForUpdate(tx, workspaceId);
  return findActiveFreeze(tx, workspaceId);
}
