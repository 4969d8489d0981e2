/** Gives every row of a batch its place in the audit chain (server/audit/leaf.ts). */
import { randomUUID } from "node:crypto";
import type { AuditEntry } from "../audit/entries.ts";
import { contentDigest, leafOf } from "../audit/leaf.ts";
import { uuidv7 } from "../platform/ids.ts";
import { answerText, durationOf, type Entry, hooksText } from "./tables.ts";

/** One record as its row is written: with its batch, its place there, and the salt of its content. */
export interface Proven {
  readonly entry: Entry;
  readonly batch: string;
  readonly place: number;
  readonly salt: string;
  readonly answer: string;
  readonly hooks: string;
}

export interface ProvenBatch {
  readonly rows: readonly Proven[];
  readonly audit: AuditEntry;
}

/** `entries` are of one workspace, and at least one. */
export function prove(entries: readonly Entry[]): ProvenBatch {
  const batch = uuidv7();
  const rows = entries.map((entry, place): Proven => {
    return { entry, batch, place, salt: randomUUID(), answer: answerText(entry), hooks: hooksText(entry) };
  });
  let [earliest = "", latest = ""] = [entries[0]?.occurredAt, entries[0]?.occurredAt];
  for (const { occurredAt } of entries) {
    if (occurredAt < earliest) earliest = occurredAt;
    if (occurredAt > latest) latest = occurredAt;
  }
  const leaves = rows.map(leafOfRow).join("");
  const count = rows.length;
  const audit = { kind: "dispatches_recorded", version: 2, batch, count, leaves, earliest, latest } as const;
  return { rows, audit };
}

function leafOfRow({ entry, salt, answer, hooks }: Proven): string {
  const { record, projection, occurredAt, agentName } = entry;
  const { inputText: input, workspaceId, id, agentId, event, lane, origin, verdict, revision } = record;
  const { sessionId, toolName, toolUseId, toolError, detail } = projection;
  const receivedAt = record.receivedAt.toISOString();
  const whose = { workspaceId, id, occurredAt, receivedAt, agentId, agentName, sessionId };
  const what = { event, lane, origin, toolName, toolUseId, toolError, verdict, revision };
  const content = contentDigest({ salt, input, answer, hooks, detail });
  return leafOf({ ...whose, ...what, durationUs: durationOf(entry) }, content);
}
