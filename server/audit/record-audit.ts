import { randomBytes } from "node:crypto";
import type { Actor } from "../access/actor.ts";
import type { PoolClient, Tx } from "../platform/db.ts";
import { auditTargetOf } from "./audit-target.ts";
import { canonicalJson, canonicalTextParts, type EntryFrom } from "./chain.ts";
import type { Changes } from "./diff-fields.ts";
import { type AuditEntry, auditEntry } from "./entries.ts";
import { type Mentions, takeNames } from "./mentions.ts";
import { nameQuery } from "./object-names.ts";
import { type NamePart, nameDigest, SALT_BYTES } from "./person-names.ts";
import { INSERT_WEBHOOK_DELIVERIES_SQL, webhookDeliveryParameters, webhookKindOf } from "./webhook-outbox.ts";

/**
 * The part of a statement that appends an entry to the chain. It locks the workspace's head, so entries of concurrent
 * transactions queue. It assigns number and time there, so that both only grow, and computes the hash in the database,
 * so no node keeps the head in memory. Parameters: the workspace first, and from number `first` on the four of
 * `canonicalTextParts`. If `condition` on the head is false, nothing is appended.
 */
export const advanceHeadSql = (first: number, condition = ""): string => `head AS (
    UPDATE audit_head SET seq = audit_head.seq + 1, at = greatest(clock.now, audit_head.at),
      hash = sha256(convert_to($${first}::text
        || to_char(greatest(clock.now, audit_head.at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        || $${first + 1}::text || encode(audit_head.hash, 'hex') || $${first + 2}::text
        || (audit_head.seq + 1)::text || $${first + 3}::text, 'UTF8'))
    FROM (SELECT clock_timestamp() AS now OFFSET 0) AS clock
    WHERE workspace_id = $1::uuid ${condition} RETURNING seq, audit_head.at, hash
  )`;

const APPEND_SQL = `
  INSERT INTO audit_entry (workspace_id, seq, at, kind, body, hash, chain_version,
    actor_kind, actor_id, actor_name, ip, user_agent, target, changes)
  SELECT $1::uuid, head.seq, coalesce(head.at, clock_timestamp()), $2::text, $3::text, head.hash, 2,
    $8::text, $9::text, $10::text, $11::text, $12::text, $13::text, $14::text
  FROM (SELECT 1) AS once LEFT JOIN head ON true`;
const APPEND_AUDIT_SQL = `WITH ${advanceHeadSql(4)} ${APPEND_SQL}`;
const APPEND_NAMED_SQL = `
  WITH ${advanceHeadSql(4)},
  named AS (
    INSERT INTO audit_name (workspace_id, seq, person, salt, names)
    SELECT $1::uuid, head.seq, one.person, decode(one.salt, 'hex'), one.names
    FROM head, jsonb_to_recordset($15::jsonb) AS one (person text, salt text, names jsonb)
  ) ${APPEND_SQL}`;

/** The actor of an entry, or a workspace's id when the server itself acts. */
export type Acting = Pick<Actor, "kind" | "id" | "name" | "workspaceId" | "from"> | string;

/** Names for an entry, as currently stored: of objects by target, and addresses by `person/<id>`. */
export type FoundNames = ReadonlyMap<string, string>;

interface Names {
  readonly changes?: Changes | undefined;
  /** The id of the person named in `by`, when a different actor writes the entry. */
  readonly byId?: string | null;
  readonly found?: FoundNames;
}

export interface AuditStatement {
  readonly text: string;
  /** The workspace first. */
  readonly values: (string | null)[];
}

/**
 * Appends one entry, and stores the names of its people separately. Without a chain head it fails: the entry has no
 * number.
 */
export function auditStatement(who: Acting, entry: AuditEntry, { changes, byId, found }: Names = {}): AuditStatement {
  const by = actingPerson(who, entry, byId ?? null);
  const from = typeof who === "string" ? null : knownClientOf(who);
  const workspace = typeof who === "string" ? who : who.workspaceId;
  const { kind } = entry;
  const { text: body, parts } = bodyOf(takeNames(auditEntry.parse(entry), by), found ?? new Map());
  const actor =
    typeof who === "string" ? null : { id: who.id, kind: who.kind, name: who.kind === "person" ? who.id : who.name };
  const target = auditTargetOf(entry);
  const changed = changes === undefined || Object.keys(changes).length === 0 ? null : canonicalJson(changes);
  const texts = canonicalTextParts({ actor, body, changes: changed, from, kind, target, workspace });
  const whose = [
    actor?.kind ?? null,
    actor?.id ?? null,
    actor?.name ?? null,
    from?.ip ?? null,
    from?.userAgent ?? null,
  ];
  const values = [workspace, kind, body, ...texts, ...whose, target, changed];
  return parts.length === 0
    ? { text: APPEND_AUDIT_SQL, values }
    : { text: APPEND_NAMED_SQL, values: [...values, JSON.stringify(parts)] };
}

function actingPerson(who: Acting, entry: AuditEntry, byId: string | null) {
  if (typeof who !== "string") return who.kind === "person" ? { id: who.id, name: who.name } : null;
  return byId !== null && "by" in entry ? { id: byId, name: entry.by } : null;
}

/** The body as it is chained, and the names stored outside it. */
function bodyOf({ entry, people }: Mentions, found: FoundNames): { text: string; parts: NamePart[] } {
  const parts = [...people].map(([person, names]): NamePart => {
    const address = names.address ?? found.get(`person/${person}`) ?? null;
    return { person, salt: randomBytes(SALT_BYTES).toString("hex"), names: { ...names, address } };
  });
  const objects = Object.fromEntries([...found].filter(([ref]) => !ref.startsWith("person/")));
  const digests = Object.fromEntries(parts.map((part) => [part.person, nameDigest(part)]));
  const names = {
    ...(parts.length > 0 && { people: digests }),
    ...(Object.keys(objects).length > 0 && { objects }),
  };
  return { text: canonicalJson(Object.keys(names).length === 0 ? entry : { ...entry, names }), parts };
}

interface NamedRow {
  readonly ref: string;
  readonly name: string;
}

async function findNames(
  who: Acting,
  entry: AuditEntry,
  byId: string | null,
  ask: (sql: string, values: unknown[]) => Promise<readonly NamedRow[]>,
): Promise<FoundNames> {
  const workspace = typeof who === "string" ? who : who.workspaceId;
  const { people } = takeNames(entry, actingPerson(who, entry, byId));
  const query = nameQuery(workspace, entry, [...people.keys()]);
  const rows = query === null ? [] : await ask(query.sql, query.values);
  return new Map(rows.map(({ ref, name }) => [ref, name]));
}

/**
 * Appends `entry` in the transaction of a connection, without a notification. `byId` is the person whose name `by` is,
 * when the server writes the entry.
 */
export async function appendAudit(
  client: Pick<PoolClient, "query">,
  who: Acting,
  entry: AuditEntry,
  byId: string | null = null,
): Promise<void> {
  const found = await findNames(who, entry, byId, async (sql, values) => (await client.query(sql, values)).rows);
  const written = await client.query(auditStatement(who, entry, { byId, found }));
  if (written.rowCount !== 1) throw new Error("no audit head for this workspace");
}

/** Appends `entry` in the caller's transaction: the change and its record share one fate. */
export async function recordAudit(tx: Tx, who: Acting, entry: AuditEntry, changes?: Changes): Promise<void> {
  const found = await findNames(who, entry, null, (sql, values) => tx.$queryRawUnsafe<NamedRow[]>(sql, ...values));
  const { text, values } = auditStatement(who, entry, { changes, found });
  const written = await tx.$executeRawUnsafe(text, ...values);
  const [workspaceId = null] = values;
  if (written !== 1) throw new Error(`no audit head for workspace ${workspaceId}`);
  // The message for the bus of every node (server/events), including this one: the sender is empty.
  const message = JSON.stringify({ node: "", workspace: workspaceId, topics: ["audit"] });
  await tx.$executeRaw`SELECT pg_notify('quarterdeck', ${message})`;
  const kind = webhookKindOf(entry);
  if (kind !== null && workspaceId !== null)
    await tx.$executeRawUnsafe(INSERT_WEBHOOK_DELIVERIES_SQL, ...webhookDeliveryParameters(workspaceId, kind, entry));
}

/** Null when nothing is known: a client with two unknowns is stored as null. */
function knownClientOf({ from }: Pick<Actor, "from">): EntryFrom | null {
  if (from === undefined || (from.ip === null && from.userAgent === null)) return null;
  return { ip: from.ip, userAgent: from.userAgent };
}
