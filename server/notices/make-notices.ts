/**
 * Makes notices of a workspace's events. The transaction that writes the notices also moves the cursor and marks rows
 * of alerts and budgets as done. A process that dies in between has made none, and the next one makes them.
 */
import { z } from "zod";
import { openRequests } from "../approvals/index.ts";
import { webhookDeliveryParameters } from "../audit/webhook-outbox.ts";
import type { Bus } from "../events/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Pool, PoolClient } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import { createWebhookNotices, type Member, noticesFor, type PersonNotice } from "./addressees.ts";
import { alertNotice, crossingNotice } from "./alert-notices.ts";
import { ENTRY_KINDS, type EntryRow, noticesOfEntry, requestIdsOf } from "./entry-notices.ts";
import type { Notice } from "./notice.ts";
import * as notices from "./repository.ts";
import { alertRoutes } from "./routes-schema.ts";
import { DEFAULT_CHOICES, type NoticeChoices, noticeChoices } from "./schema.ts";
import * as sources from "./sources-repository.ts";

/** Entries per transaction, from each source. */
const TOGETHER_MAX = 500;
const WORKSPACES_AT_ONCE = 200;
const MEMBERS_AT_ONCE = 200;
/** Rows per statement, which is held in memory. */
const INSERTED_AT_ONCE = 500;

export interface MakingWorld {
  readonly pool: Pool;
  readonly bus: Pick<Bus, "tell">;
  readonly clock: Clock;
  readonly log: Log;
}

const storedWays = z.looseObject({ ways: z.looseObject({}) });

/** Unreadable choices count as the default ones, and so do those of a kind that is newer than the choices. */
export function choicesOf(stored: unknown): NoticeChoices {
  const { data: known } = storedWays.safeParse(stored);
  const whole = known && { ...known, ways: { ...DEFAULT_CHOICES.ways, ...known.ways } };
  return noticeChoices.safeParse(whole).data ?? DEFAULT_CHOICES;
}

export async function makeNotices(world: MakingWorld): Promise<void> {
  const { pool, log } = world;
  const due = await inInstallation(() => sources.listDueWorkspaces(pool, ENTRY_KINDS, WORKSPACES_AT_ONCE));
  // A workspace whose notices fail does not delay the others.
  for (const workspaceId of due)
    await inWorkspace(workspaceId, () => makeAll(world, workspaceId)).catch((err: unknown) =>
      log.error({ err, workspaceId }, "notices could not be made"),
    );
}

async function makeAll(world: MakingWorld, workspaceId: string): Promise<void> {
  for (;;) {
    const made = await notices.transaction(world.pool, (client) => makeSome(client, world, workspaceId));
    if (made.count > 0) world.bus.tell(workspaceId, ["notices"]);
    if (!made.isMore) return;
  }
}

async function makeSome(client: PoolClient, { clock, log }: MakingWorld, workspaceId: string) {
  const after = await sources.lockCursor(client, workspaceId);
  if (after === null) return { count: 0, isMore: false };
  const range = { kinds: ENTRY_KINDS, after, limit: TOGETHER_MAX };
  const entries = await sources.listEntries(client, workspaceId, range);
  const alerts = await sources.takeAlerts(client, workspaceId, TOGETHER_MAX);
  const crossings = await sources.takeCrossings(client, workspaceId, TOGETHER_MAX);
  const routes = alertRoutes.safeParse({ routes: (await notices.findRoutes(client, workspaceId))?.routes }).data;
  const made = [
    ...(await ofEntries(client, workspaceId, entries, log)),
    ...alerts.map((row) => alertNotice(row, routes?.routes ?? [])),
    ...crossings.map(crossingNotice),
  ];
  const count = made.length === 0 ? 0 : await address(client, workspaceId, made, new Date(clock.now()));
  const last = entries.at(-1);
  if (last) await sources.moveCursor(client, workspaceId, last.seq);
  return { count, isMore: [entries, alerts, crossings].some(({ length }) => length === TOGETHER_MAX) };
}

async function ofEntries(client: PoolClient, workspaceId: string, entries: readonly EntryRow[], log: Log) {
  const open = await openRequests(client, workspaceId, requestIdsOf(entries));
  return entries.flatMap((entry): readonly Notice[] => {
    try {
      return noticesOfEntry(entry, open);
    } catch (err) {
      // The entry may be from a newer release: it must not hold up later entries.
      log.warn({ err, workspaceId, seq: entry.seq }, "no notice could be made of an entry");
      return [];
    }
  });
}

async function address(client: PoolClient, workspaceId: string, made: readonly Notice[], now: Date): Promise<number> {
  const ofWebhooks = createWebhookNotices(made);
  let count = 0;
  let after: string | null = null;
  do {
    const page = { after, limit: MEMBERS_AT_ONCE };
    const rows: readonly notices.MemberRow[] = await notices.listMembers(client, workspaceId, page);
    const members = rows.map(({ choices, ...row }): Member => ({ ...row, choices: choicesOf(choices) }));
    for (const member of members) ofWebhooks.add(member);
    count += await insertAll(
      client,
      workspaceId,
      members.flatMap((member) => noticesFor(member, made, now)),
    );
    after = rows.length < MEMBERS_AT_ONCE ? null : (rows.at(-1)?.personId ?? null);
  } while (after !== null);
  for (const [webhookId, list] of ofWebhooks.byWebhook())
    await notices.holdForWebhook(client, workspaceId, webhookId, list.map(messageOf(workspaceId)));
  return count;
}

async function insertAll(client: PoolClient, workspaceId: string, theirs: readonly PersonNotice[]): Promise<number> {
  const rows = theirs.map(({ audience: _whose, group: _alike, ...one }) => one);
  let count = 0;
  for (let from = 0; from < rows.length; from += INSERTED_AT_ONCE)
    count += await notices.insert(client, workspaceId, rows.slice(from, from + INSERTED_AT_ONCE));
  return count;
}

const messageOf =
  (workspaceId: string) =>
  ({ key, kind, at, title, says, path }: Notice) => {
    const data = { notice: kind, title, says, path };
    const [, , body] = webhookDeliveryParameters(workspaceId, "notice", data, at);
    return { group: key, body };
  };
