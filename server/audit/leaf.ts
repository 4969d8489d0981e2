/**
 * The leaf of a dispatch in the chain, a sha256 over every column of its row. It is UTF-8 text, with fields separated
 * by a NUL (U+0000, which no stored text contains); a sha256 is written in base64url, 43 characters.
 *
 * content = sha256(salt NUL input NUL answer NUL hooks NUL detail [NUL reason]) leaf    = sha256(workspace NUL id NUL
 * occurred_at NUL received_at NUL agent_id NUL agent_name NUL session_id NUL event NUL lane NUL origin NUL tool_name
 * NUL tool_use_id NUL tool_error NUL verdict NUL revision NUL duration_us NUL content [NUL facts])
 *
 * Facts (server/recording/facts.ts) are the last field of rows that have them: those of batches of version 3. Older
 * rows have neither facts nor a field for them. The same applies to the reason, which only decided rows have.
 *
 * The audit entry of a batch holds the leaves of its rows one after the other, in the order of `place`.
 *
 * Times are UTC with milliseconds. A field that may be absent is "" when it is, and "=" with its text when it is not.
 * When a row's content is erased, so is its salt, and `content` itself stays: the leaf can still be computed, and the
 * erased content cannot be guessed from it.
 */
import { hash } from "node:crypto";

export interface LeafContent {
  readonly salt: string;
  readonly input: string;
  readonly answer: string;
  readonly hooks: string;
  readonly detail: string | null;
  /** Null when there is no reason. */
  readonly reason: string | null;
}

export interface LeafFields {
  readonly workspaceId: string;
  readonly id: string;
  readonly occurredAt: string;
  readonly receivedAt: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly sessionId: string;
  readonly event: string;
  readonly lane: string;
  readonly origin: string;
  readonly toolName: string | null;
  readonly toolUseId: string | null;
  readonly toolError: boolean | null;
  readonly verdict: string;
  readonly revision: string;
  readonly durationUs: number;
  /** Null in rows from before facts. */
  readonly facts: string | null;
}

const NUL = "\0";
const optional = (value: string | boolean | null): string => (value === null ? "" : `=${value}`);

export function contentDigest({ salt, input, answer, hooks, detail, reason }: LeafContent): string {
  const last = reason === null ? "" : NUL + reason;
  return hash("sha256", salt + NUL + input + NUL + answer + NUL + hooks + NUL + optional(detail) + last, "base64url");
}

export function dispatchLeafOf(row: LeafFields, content: string): string {
  return hash(
    "sha256",
    row.workspaceId +
      NUL +
      row.id +
      NUL +
      row.occurredAt +
      NUL +
      row.receivedAt +
      NUL +
      row.agentId +
      NUL +
      row.agentName +
      NUL +
      row.sessionId +
      NUL +
      row.event +
      NUL +
      row.lane +
      NUL +
      row.origin +
      NUL +
      optional(row.toolName) +
      NUL +
      optional(row.toolUseId) +
      NUL +
      optional(row.toolError) +
      NUL +
      row.verdict +
      NUL +
      row.revision +
      NUL +
      row.durationUs +
      NUL +
      content +
      (row.facts === null ? "" : NUL + row.facts),
    "base64url",
  );
}

const LEAF_CHARACTERS = 43;

/** The leaves that an entry holds as one text. Null when the text does not hold `count` leaves. */
export function splitLeaves(text: string, count: number): string[] | null {
  if (text.length !== count * LEAF_CHARACTERS) return null;
  return Array.from({ length: count }, (_, at) => text.slice(at * LEAF_CHARACTERS, (at + 1) * LEAF_CHARACTERS));
}

// The same in SQL, so that contents are hashed without being transferred.

const utf8 = (expression: string) => `convert_to(${expression}, 'UTF8')`;
const joined = (expressions: readonly string[]) => expressions.map(utf8).join(` || '\\x00'::bytea || `);
const trailing = (column: string) => ` || coalesce('\\x00'::bytea || ${utf8(column)}, ''::bytea)`;
const digest = (expression: string) => `translate(rtrim(encode(sha256(${expression}), 'base64'), '='), '+/', '-_')`;
const orAbsent = (column: string) => `coalesce('=' || ${column}, '')`;
const instant = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The content digest of a `dispatch` row: the stored one after an erasure, else computed. */
export const CONTENT_SQL = `CASE WHEN erased_at IS NULL
  THEN ${digest(joined(["salt::text", "input", "answer", "hooks", orAbsent("detail")]) + trailing("reason"))}
  ELSE content_sha256 END`;

/** The leaf of a `dispatch` row. Null for rows from before leaves, and for erased ones that lost their digest. */
export const LEAF_SQL = digest(
  joined([
    "workspace_id::text",
    "id::text",
    instant("occurred_at"),
    instant("received_at"),
    "agent_id::text",
    "agent_name",
    "session_id",
    "event",
    "lane",
    "origin",
    orAbsent("tool_name"),
    orAbsent("tool_use_id"),
    orAbsent("tool_error::text"),
    "verdict",
    "revision",
    "duration_us::text",
    CONTENT_SQL,
  ]) + trailing("facts"),
);
