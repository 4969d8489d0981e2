/** Freezes by the calendar: windows that return every week, or happen once. */
import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database, Tx } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { findFreezeForUpdate } from "./active-freeze.ts";
import * as windows from "./freeze-window-repository.ts";
import {
  type AddFreezeWindow,
  FREEZE_WINDOWS_MAX,
  type FreezeSpan,
  type FreezeWindowById,
  type FreezeWindowsView,
  type LiftFreezeWindows,
  type WindowTimes,
} from "./freeze-window-schema.ts";
import { policyTransaction } from "./policy-transaction.ts";

const AHEAD_DAYS = 400;
const rangeFrom = (from: Date) => ({ from, to: new Date(from.getTime() + AHEAD_DAYS * 86_400_000) });

/** Every window with its present or next occurrence. */
export async function listFreezeWindows(
  db: Database,
  workspaceId: string,
  now = new Date(),
): Promise<FreezeWindowsView> {
  const [rows, spans, timeZone] = await Promise.all([
    windows.listWindows(db.prisma, workspaceId),
    windows.listSpans(db.prisma, workspaceId, rangeFrom(now)),
    windows.findTimeZone(db.prisma, workspaceId, now),
  ]);
  const next = spans.find(({ startsAt }) => startsAt > now);
  return {
    timeZone,
    windows: rows.map(({ id, times, reason, createdBy: by }) => {
      const span = spans.find((one) => one.id === id);
      return { id, times, reason, by, next: span ? spanView(span) : null, isLifted: span?.isLifted ?? false };
    }),
    next: next ? spanView(next) : null,
  };
}

const spanView = ({ startsAt: from, endsAt: to, reason, timeZone }: windows.SpanRow): FreezeSpan => ({
  ...{ from, to, reason, timeZone },
});

const refusal = (says: string) => new AppError("invalid_input", undefined, { says });

/** Errors: `invalid_input` for a window that is over or far away, and beyond `FREEZE_WINDOWS_MAX`. */
export async function addFreezeWindow(
  db: Database,
  bus: Bus,
  actor: Administrator,
  { times, reason }: AddFreezeWindow,
): Promise<void> {
  const { workspaceId, name: by } = actor;
  await policyTransaction(db, bus, actor, async (tx) => {
    // Changes in progress end first: none of them commits within a window that has begun.
    await findFreezeForUpdate(tx, workspaceId);
    if ((await windows.listWindows(tx, workspaceId)).length >= FREEZE_WINDOWS_MAX)
      throw refusal(
        `A workspace has at most ${FREEZE_WINDOWS_MAX} freeze windows. Remove one that you no longer need.`,
      );
    const id = uuidv7();
    await windows.insertWindow(tx, workspaceId, { id, times, reason, by });
    if (!(await windows.listSpans(tx, workspaceId, rangeFrom(new Date()))).some((span) => span.id === id))
      throw refusal(`The window must end in the future and begin within ${AHEAD_DAYS} days.`);
    const entry = { kind: "freeze_window_added", version: 1, by, window: id, times: timesText(times), reason } as const;
    await recordAudit(tx, actor, entry);
  });
}

/** Does nothing if there is no such window. Errors: `workspace_frozen` while it freezes the workspace. */
export async function removeFreezeWindow(
  db: Database,
  bus: Bus,
  actor: Administrator,
  { id }: FreezeWindowById,
): Promise<void> {
  const { workspaceId, name: by } = actor;
  await policyTransaction(db, bus, actor, async (tx) => {
    await findFreezeForUpdate(tx, workspaceId);
    const found = (await windows.listWindows(tx, workspaceId)).find((one) => one.id === id);
    if (!found) return;
    const now = new Date();
    if ((await listOpenSpans(tx, workspaceId, now)).some((span) => span.id === id))
      throw new AppError("workspace_frozen", undefined, {
        says: "This window freezes the workspace now. Lift the freeze with a reason first.",
      });
    await windows.removeWindow(tx, workspaceId, id);
    const about = { window: id, times: timesText(found.times), reason: found.reason };
    await recordAudit(tx, actor, { kind: "freeze_window_removed", version: 1, by, ...about });
  });
}

/** Lifts the present occurrence of each window. The next one is in force as planned. Does nothing outside of a window. */
export async function liftFreezeWindows(
  db: Database,
  bus: Bus,
  actor: Administrator,
  { reason }: LiftFreezeWindows,
): Promise<void> {
  const { workspaceId, name: by } = actor;
  await policyTransaction(db, bus, actor, async (tx) => {
    await findFreezeForUpdate(tx, workspaceId);
    for (const { id, endsAt } of await listOpenSpans(tx, workspaceId, new Date())) {
      await windows.updateLifted(tx, workspaceId, id, endsAt);
      const about = { window: id, until: endsAt.toISOString(), reason };
      await recordAudit(tx, actor, { kind: "freeze_window_lifted", version: 1, by, ...about });
    }
  });
}

/** The occurrences that freeze the workspace at an instant. */
async function listOpenSpans(tx: Tx, workspaceId: string, at: Date) {
  const spans = await windows.listSpans(tx, workspaceId, { from: at, to: new Date(at.getTime() + 1) });
  return spans.filter(({ startsAt, endsAt, isLifted }) => !isLifted && startsAt <= at && at < endsAt);
}

function timesText(times: WindowTimes): string {
  if (times.kind === "once") return `${times.from} to ${times.to}`;
  return `${times.from.day} ${times.from.time} to ${times.to.day} ${times.to.time}`;
}
