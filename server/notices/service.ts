/** Notices of a person: what concerns them, by the ways that they chose. */
import type { Administrator } from "../access/actor.ts";
import { diffFields } from "../audit/diff-fields.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import { hasMail } from "../people/index.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import type { Database, Pool } from "../platform/db.ts";
import { createRepeater } from "../platform/repeater.ts";
import { type LettersWorld, sendLetters } from "./letters.ts";
import { findFailure } from "./letters-repository.ts";
import { choicesOf, type MakingWorld, makeNotices } from "./make-notices.ts";
import * as notices from "./repository.ts";
import { type AlertRoutes, type AlertRoutesView, alertRoutes, alertRoutesView } from "./routes-schema.ts";
import {
  type ArchiveNotices,
  type ChoicesView,
  choicesView,
  NOTICE_WAYS,
  type NoticeBox,
  type NoticeChoices,
  type NoticeKind,
  type NoticeList,
  type NoticeView,
  type NoticeWay,
  noticeList,
  noticeView,
  type SnoozeNotices,
} from "./schema.ts";

const LOOK_MS = 2_000;
const LISTED_MAX = 100;
/** A browser that was asleep shows only recent notices. */
const BROWSER_MS = 60_000;
const BROWSER_MAX = 5;
const MINUTE_MS = 60_000;

export type NoticesWorld = Omit<MakingWorld & LettersWorld, "clock"> & { readonly clock?: Clock };

/** Once started, makes notices and sends mails independently, so that a slow mail server delays no notices. */
export function createNotices(options: NoticesWorld) {
  const world = { clock: systemClock, ...options };
  const make = () => makeNotices(world);
  const send = () => sendLetters(world);
  const repeat = (work: () => Promise<void>, failure: string) =>
    createRepeater({
      turn: () => work().then(() => LOOK_MS),
      firstMs: LOOK_MS,
      retryMs: LOOK_MS,
      onFailure: (err) => world.log.error({ err }, failure),
    });
  const repeaters = [repeat(make, "notices could not be made"), repeat(send, "letters could not be sent")];
  return {
    make,
    send,
    start() {
      for (const one of repeaters) one.start();
    },
    async stop(): Promise<void> {
      await Promise.all(repeaters.map((one) => one.stop()));
    },
  };
}

type Reader = Pick<Administrator, "workspaceId" | "id" | "kind">;
type Read = Pick<Database, "pool">;

export async function list({ pool }: Read, { workspaceId, id }: Reader, box: NoticeBox = "inbox"): Promise<NoticeList> {
  const [rows, unread] = await Promise.all([
    notices.list(pool, workspaceId, id, { box, limit: LISTED_MAX }),
    notices.countUnread(pool, workspaceId, id),
  ]);
  return noticeList.parse({ notices: rows, unread });
}

/** The notices of the last minute, for an open browser. */
export async function forBrowser({ pool }: Read, { workspaceId, id }: Reader): Promise<NoticeView[]> {
  const rows = await notices.listForBrowser(pool, workspaceId, id, new Date(Date.now() - BROWSER_MS), BROWSER_MAX);
  return rows.map((row) => noticeView.parse(row));
}

/** The kinds whose waiting items the navigation counts by themselves. */
const COUNTED_ELSEWHERE: readonly NoticeKind[] = ["approvals", "reviews", "alerts"];

/** The unread notices outside every other count of the navigation; always zero for a service account or script. */
export const countUnread = ({ pool }: Read, { workspaceId, id, kind }: Reader): Promise<number> =>
  kind === "person" ? notices.countUnread(pool, workspaceId, id, COUNTED_ELSEWHERE) : Promise.resolve(0);

export interface NoticesContext {
  readonly db: Database;
  readonly bus: Bus;
}

export async function markRead({ db, bus }: NoticesContext, reader: Reader, { upTo }: { upTo: Date }): Promise<void> {
  await notices.markRead(db.pool, reader.workspaceId, reader.id, upTo);
  bus.tell(reader.workspaceId, ["notices"]);
}

export async function archive({ db, bus }: NoticesContext, reader: Reader, asked: ArchiveNotices): Promise<void> {
  const { keys, isArchived } = asked;
  await notices.file(db.pool, reader.workspaceId, reader.id, keys, { isArchived, snoozedUntil: null });
  bus.tell(reader.workspaceId, ["notices"]);
}

export async function snooze({ db, bus }: NoticesContext, reader: Reader, asked: SnoozeNotices): Promise<void> {
  await notices.file(db.pool, reader.workspaceId, reader.id, asked.keys, {
    isArchived: false,
    snoozedUntil: asked.until,
  });
  bus.tell(reader.workspaceId, ["notices"]);
}

export async function choices(db: Database, { workspaceId, id }: Reader): Promise<ChoicesView> {
  const [person, hasServer, webhooks, failure] = await Promise.all([
    notices.findPerson(db.pool, workspaceId, id),
    hasMail(db),
    listWebhooks(db.pool, workspaceId),
    findFailure(db.pool, workspaceId, id),
  ]);
  const address = person?.address ?? null;
  const state = !hasServer
    ? "no_server"
    : address === null
      ? "no_address"
      : person?.isProven
        ? "ready"
        : "unproven_address";
  return choicesView.parse({ choices: choicesOf(person?.choices), mail: { address, state, failure }, webhooks });
}

const listWebhooks = async (pool: Pool, workspaceId: string) =>
  (await notices.listWebhooks(pool, workspaceId)).map(({ id, url, shape }) => ({ id, host: new URL(url).host, shape }));

/** Errors: `invalid_input` for a webhook that takes no notices. */
export async function saveChoices(db: Database, { workspaceId, id }: Reader, chosen: NoticeChoices): Promise<void> {
  if (chosen.webhookId !== null) await requireWebhooks(db.pool, workspaceId, [chosen.webhookId], "/webhookId");
  await notices.saveChoices(db.pool, workspaceId, id, chosen);
}

async function requireWebhooks(pool: Pool, workspaceId: string, ids: readonly string[], pointer: string) {
  const known = new Set((await notices.listWebhooks(pool, workspaceId)).map((one) => one.id));
  if (ids.some((id) => !known.has(id)))
    throw new AppError("invalid_input", undefined, { says: "This webhook no longer accepts notifications.", pointer });
}

/** Sends a test notice to oneself by every channel in use; at most one a minute. Quiet hours do not hold it back. */
export async function sendTest({ db, bus }: NoticesContext, reader: Reader): Promise<{ ways: NoticeWay[] }> {
  const { workspaceId, id: personId } = reader;
  const person = await notices.findPerson(db.pool, workspaceId, personId);
  const { ways: byKind, webhookId } = choicesOf(person?.choices);
  const ways = NOTICE_WAYS.filter((way) => Object.values(byKind).some((list) => list.includes(way)));
  const now = new Date();
  const key = `test/${Math.floor(now.getTime() / MINUTE_MS)}`;
  const title = "Test notification";
  const row = {
    key,
    kind: "test",
    at: now,
    title,
    says: "You requested it on the Notifications page.",
    path: "/notices",
  };
  const by = { onPage: true, inBrowser: ways.includes("browser"), isMailed: ways.includes("mail") };
  const isNew = await notices.transaction(db.pool, async (client) => {
    const made = await notices.insert(client, workspaceId, [
      { ...row, ...by, personId, requestIds: [], isUrgent: true },
    ]);
    if (made > 0 && webhookId !== null && ways.includes("webhook"))
      await notices.holdForWebhook(client, workspaceId, webhookId, [{ group: key, body: testBody(workspaceId, row) }]);
    return made > 0;
  });
  if (!isNew)
    throw new AppError("invalid_input", undefined, { says: "A test was already sent this minute. Wait for it." });
  bus.tell(workspaceId, ["notices"]);
  return { ways: [...new Set<NoticeWay>(["page", ...ways])] };
}

function testBody(workspace: string, { at, title, says, path }: Pick<NoticeView, "at" | "title" | "says" | "path">) {
  return JSON.stringify({
    type: "notice",
    timestamp: at.toISOString(),
    workspace,
    data: { notice: "test", title, says, path },
  });
}

export async function routes({ pool }: Read, workspaceId: string): Promise<AlertRoutesView> {
  const [row, named, webhooks] = await Promise.all([
    notices.findRoutes(pool, workspaceId),
    notices.listRoutable(pool, workspaceId),
    listWebhooks(pool, workspaceId),
  ]);
  const of = (what: "person" | "group") =>
    named.filter((one) => one.what === what).map(({ id, name }) => ({ id, name }));
  return alertRoutesView.parse({
    ...{ routes: routesIn(row?.routes), setAt: row?.setAt ?? null, setBy: row?.setBy ?? null },
    ...{ people: of("person"), groups: of("group"), webhooks },
  });
}

/** Unreadable routes count as empty. */
const routesIn = (stored: unknown) => alertRoutes.safeParse({ routes: stored }).data?.routes ?? [];

/**
 * Replaces the routes. They apply to alerts from the commit on. Errors: `invalid_input` for a person who is not a
 * member, or a missing group or webhook.
 */
export async function setRoutes(
  context: NoticesContext,
  actor: Administrator,
  { routes: next }: AlertRoutes,
): Promise<void> {
  const { workspaceId } = actor;
  const known = new Set((await notices.listRoutable(context.db.pool, workspaceId)).map(({ id }) => id));
  for (const [at, { team, people, groupId, webhookId }] of next.entries()) {
    if (people.some((id) => !known.has(id)))
      throw new AppError("invalid_input", undefined, {
        says: `A person in "${team}" is no longer in this workspace.`,
        pointer: `/routes/${at}/people`,
      });
    if (groupId !== null && !known.has(groupId)) throw new AppError("group_not_found");
    if (webhookId !== null) await requireWebhooks(context.db.pool, workspaceId, [webhookId], `/routes/${at}/webhookId`);
  }
  await announcedTransaction(context, workspaceId, ["notices"], async (tx) => {
    const before = routesIn(await notices.findRoutesForUpdate(tx, workspaceId));
    await notices.saveRoutes(tx, workspaceId, next, actor.name);
    await recordAudit(
      tx,
      actor,
      { kind: "alert_routes_set", version: 1, by: actor.name, routes: next },
      diffFields({ routes: JSON.stringify(before) }, { routes: JSON.stringify(next) }),
    );
  });
}
