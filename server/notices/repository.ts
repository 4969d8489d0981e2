/** Notices of people and their choices. */
import { type Pool, type PoolClient, type Tx, transaction } from "../platform/db.ts";
import type { NoticeBox, NoticeKind } from "./schema.ts";

export { transaction };

export interface MemberRow {
  readonly personId: string;
  readonly role: string;
  /** As they were stored; null: never chosen. */
  readonly choices: unknown;
}

/** A page of the members, by their id. */
export async function listMembers(
  client: PoolClient,
  workspaceId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly MemberRow[]> {
  const { rows } = await client.query<MemberRow>(
    `SELECT member.person_id AS "personId", member.role, chosen.choices FROM membership AS member
     LEFT JOIN notice_choices AS chosen ON chosen.workspace_id = $1 AND chosen.person_id = member.person_id
     WHERE member.workspace_id = $1 AND ($2::uuid IS NULL OR member.person_id > $2) ORDER BY member.person_id LIMIT $3`,
    [workspaceId, after, limit],
  );
  return rows;
}

export interface NewNotice {
  readonly personId: string;
  readonly key: string;
  readonly kind: string;
  readonly at: Date;
  readonly title: string;
  readonly says: string;
  readonly path: string;
  readonly requestIds: readonly string[];
  readonly isUrgent: boolean;
  readonly onPage: boolean;
  readonly inBrowser: boolean;
  readonly isMailed: boolean;
}

/** Inserts the notices: one per person and key, and only for current members. Returns the number of new ones. */
export async function insert(client: PoolClient, workspaceId: string, notices: readonly NewNotice[]): Promise<number> {
  if (notices.length === 0) return 0;
  const { rowCount } = await client.query(
    `INSERT INTO notice (workspace_id, person_id, key, kind, at, title, says, path, request_id, other_request_ids, is_urgent, on_page,
       in_browser, mail)
     SELECT $1, new."personId", new.key, new.kind, new.at, new.title, new.says, new.path, new."requestIds"[1], new."requestIds"[2:],
       new."isUrgent", new."onPage", new."inBrowser", CASE WHEN new."isMailed" THEN 'waiting' ELSE 'none' END
     FROM jsonb_to_recordset($2::jsonb) AS new ("personId" uuid, key text, kind text, at timestamptz, title text, says text,
       path text, "requestIds" uuid[], "isUrgent" boolean, "onPage" boolean, "inBrowser" boolean, "isMailed" boolean)
     JOIN membership AS member ON member.workspace_id = $1 AND member.person_id = new."personId"
     ON CONFLICT DO NOTHING`,
    [workspaceId, JSON.stringify(notices)],
  );
  return rowCount ?? 0;
}

/**
 * Queues notices for a webhook. Like notices of approvals, they are combined into a few messages a minute for each
 * webhook.
 */
export async function holdForWebhook(
  client: PoolClient,
  workspaceId: string,
  webhookId: string,
  bodies: readonly { readonly group: string; readonly body: string }[],
): Promise<void> {
  await client.query(
    `INSERT INTO webhook_delivery (workspace_id, id, webhook_id, kind, state, group_key, body)
     SELECT webhook.workspace_id, gen_random_uuid(), webhook.id, 'notice', 'held', md5(new."group"), new.body
     FROM webhook, jsonb_to_recordset($3::jsonb) AS new ("group" text, body text)
     WHERE webhook.workspace_id = $1 AND webhook.id = $2 AND webhook.is_enabled AND 'notice' = ANY (webhook.kinds)`,
    [workspaceId, webhookId, JSON.stringify(bodies)],
  );
}

export interface NoticeRow {
  readonly key: string;
  readonly kind: string;
  readonly at: Date;
  readonly title: string;
  readonly says: string;
  readonly path: string;
  readonly isDone: boolean;
}

/** True for a notice about requests that all have ended. */
export const IS_OVER = `(one.request_id IS NOT NULL AND NOT EXISTS (SELECT FROM approval_request AS request
  WHERE request.workspace_id = one.workspace_id AND request.id = ANY (one.other_request_ids || one.request_id) AND request.state = 'pending'
    AND request.expires_at > clock_timestamp()))`;
const VIEW = `one.key, one.kind, one.at, one.title, one.says, one.path, (one.read_at IS NOT NULL OR ${IS_OVER}) AS "isDone"`;

/** In the inbox now: neither archived nor snoozed. The lists leave out notices about requests that have ended. */
const IN_INBOX = `archived_at IS NULL AND (snoozed_until IS NULL OR snoozed_until <= clock_timestamp())`;
const BOXES: Readonly<Record<NoticeBox, string>> = {
  inbox: `${IN_INBOX} AND NOT ${IS_OVER}`,
  snoozed: `archived_at IS NULL AND snoozed_until > clock_timestamp() AND NOT ${IS_OVER}`,
  archived: "archived_at IS NOT NULL",
};

/** The newest first. A snoozed notice that returned is as new as its return. */
export async function list(
  pool: Pool,
  workspaceId: string,
  personId: string,
  { box, limit }: { readonly box: NoticeBox; readonly limit: number },
): Promise<readonly NoticeRow[]> {
  const { rows } = await pool.query<NoticeRow>(
    `SELECT ${VIEW} FROM notice AS one WHERE workspace_id = $1 AND person_id = $2 AND on_page AND ${BOXES[box]}
     ORDER BY greatest(at, snoozed_until) DESC, key LIMIT $3`,
    [workspaceId, personId, limit],
  );
  return rows;
}

/** The change of a person's own notices: where they are, and whether they are read. */
export interface Filing {
  readonly isArchived: boolean;
  /** Null: not snoozed. */
  readonly snoozedUntil: Date | null;
}

/** Moves notices of a person. An archived notice counts as read, a snoozed one returns unread. */
export async function file(
  pool: Pool,
  workspaceId: string,
  personId: string,
  keys: readonly string[],
  { isArchived, snoozedUntil }: Filing,
): Promise<void> {
  await pool.query(
    `UPDATE notice SET archived_at = CASE WHEN $4 THEN coalesce(archived_at, clock_timestamp()) END, snoozed_until = $5::timestamptz,
       read_at = CASE WHEN $4 THEN coalesce(read_at, clock_timestamp()) WHEN $5::timestamptz IS NULL THEN read_at END
     WHERE workspace_id = $1 AND person_id = $2 AND on_page AND key = ANY ($3::text[])`,
    [workspaceId, personId, keys, isArchived, snoozedUntil],
  );
}

/** Those for an open browser, made since an instant. */
export async function listForBrowser(pool: Pool, workspaceId: string, personId: string, since: Date, limit: number) {
  const { rows } = await pool.query<NoticeRow>(
    `SELECT ${VIEW} FROM notice AS one WHERE workspace_id = $1 AND person_id = $2 AND in_browser AND read_at IS NULL
       AND at > $3::timestamptz - interval '1 hour' AND made_at > $3 AND NOT ${IS_OVER} ORDER BY at DESC, key LIMIT $4`,
    [workspaceId, personId, since, limit],
  );
  return rows;
}

/** The unread notices in the inbox, except those of some kinds. */
export async function countUnread(
  pool: Pool,
  workspaceId: string,
  personId: string,
  except: readonly NoticeKind[] = [],
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM notice AS one
     WHERE workspace_id = $1 AND person_id = $2 AND on_page AND read_at IS NULL AND ${IN_INBOX} AND kind <> ALL ($3::text[])
       AND NOT ${IS_OVER}`,
    [workspaceId, personId, except],
  );
  return rows[0]?.count ?? 0;
}

export async function markRead(pool: Pool, workspaceId: string, personId: string, upTo: Date): Promise<void> {
  await pool.query(
    `UPDATE notice SET read_at = clock_timestamp()
     WHERE workspace_id = $1 AND person_id = $2 AND on_page AND read_at IS NULL AND at <= $3`,
    [workspaceId, personId, upTo],
  );
}

export interface PersonRow {
  readonly role: string;
  readonly address: string | null;
  readonly isProven: boolean;
  readonly choices: unknown;
}

/** Null for a person who is no longer a member. */
export async function findPerson(pool: Pool, workspaceId: string, personId: string): Promise<PersonRow | null> {
  const { rows } = await pool.query<PersonRow>(
    `SELECT member.role, person.email AS address, person.email_verified AS "isProven", chosen.choices
     FROM membership AS member JOIN person ON person.id = member.person_id
     LEFT JOIN notice_choices AS chosen ON chosen.workspace_id = $1 AND chosen.person_id = member.person_id
     WHERE member.workspace_id = $1 AND member.person_id = $2`,
    [workspaceId, personId],
  );
  return rows[0] ?? null;
}

/** Saves the choices. Waiting mails are checked again at once, since quiet hours may have changed. */
export async function saveChoices(pool: Pool, workspaceId: string, personId: string, choices: object): Promise<void> {
  await pool.query(
    `INSERT INTO notice_choices (workspace_id, person_id, choices) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id, person_id) DO UPDATE SET choices = excluded.choices`,
    [workspaceId, personId, JSON.stringify(choices)],
  );
  await pool.query(
    `UPDATE notice SET mail_at = clock_timestamp()
     WHERE workspace_id = $1 AND person_id = $2 AND mail = 'waiting' AND mail_attempts = 0`,
    [workspaceId, personId],
  );
}

/** The webhooks that receive notices. */
export async function listWebhooks(pool: Pool, workspaceId: string) {
  const { rows } = await pool.query<{ id: string; url: string; shape: string }>(
    `SELECT id, url, shape FROM webhook WHERE workspace_id = $1 AND is_enabled AND 'notice' = ANY (kinds)
     ORDER BY created_at, id LIMIT 100`,
    [workspaceId],
  );
  return rows;
}

export interface RoutesRow {
  readonly routes: unknown;
  readonly setAt: Date;
  readonly setBy: string;
}

export async function findRoutes(client: Pool | PoolClient, workspaceId: string): Promise<RoutesRow | null> {
  const { rows } = await client.query<RoutesRow>(
    `SELECT routes, set_at AS "setAt", set_by AS "setBy" FROM alert_routes WHERE workspace_id = $1`,
    [workspaceId],
  );
  return rows[0] ?? null;
}

/** Two changes of a workspace's routes wait for each other. */
export async function findRoutesForUpdate(tx: Tx, workspaceId: string): Promise<unknown> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('alert_routes'), hashtext(${workspaceId}))`;
  const [row] = await tx.$queryRaw<
    { routes: unknown }[]
  >`SELECT routes FROM alert_routes WHERE workspace_id = ${workspaceId}::uuid`;
  return row?.routes ?? null;
}

export async function saveRoutes(tx: Tx, workspaceId: string, routes: readonly object[], by: string): Promise<void> {
  await tx.$executeRaw`INSERT INTO alert_routes (workspace_id, routes, set_by)
    VALUES (${workspaceId}::uuid, ${JSON.stringify(routes)}::jsonb, ${by})
    ON CONFLICT (workspace_id) DO UPDATE SET routes = excluded.routes, set_at = clock_timestamp(), set_by = excluded.set_by`;
}

/** The people and groups that a route can name. */
export async function listRoutable(pool: Pool, workspaceId: string) {
  const { rows } = await pool.query<{ what: "person" | "group"; id: string; name: string }>(
    `(SELECT 'person' AS what, person.id, person.name FROM membership JOIN person ON person.id = membership.person_id
       WHERE membership.workspace_id = $1 ORDER BY person.name, person.id LIMIT 1000)
     UNION ALL (SELECT 'group', id, name FROM agent_group WHERE workspace_id = $1 ORDER BY name, id LIMIT 1000)`,
    [workspaceId],
  );
  return rows;
}
