/** Gives every row of a batch its place in the audit chain (server/audit/leaf.ts). */
import { randomUUID } from "node:crypto";
import type { ChainBatch } from "../audit/chain-batch.ts";
import { contentDigest, dispatchLeafOf } from "../audit/leaf.ts";
import { uuidv7 } from "../platform/ids.ts";
import { factsText } from "./facts.ts";
import { pgText } from "./pg-text.ts";
import { answerText, durationOf, hooksText, type ProjectedRecord } from "./tables.ts";

/** One record as its row is written: with its batch, its place there, and the salt of its content. */
export interface Proven {
  readonly entry: ProjectedRecord;
  readonly batch: string;
  readonly place: number;
  readonly salt: string;
  readonly answer: string;
  readonly hooks: string;
  /** Null when the row shows no reason. */
  readonly reason: string | null;
  readonly facts: string;
}

export interface ProvenBatch {
  readonly rows: readonly Proven[];
  readonly chainBatch: ChainBatch;
}

/** `entries` belong to one workspace; at least one. */
export function addChainLeaves(entries: readonly ProjectedRecord[]): ProvenBatch {
  const batch = uuidv7();
  const rows = entries.map((entry, place): Proven => {
    const texts = { answer: answerText(entry), hooks: hooksText(entry), facts: factsText(entry) };
    return { entry, batch, place, salt: randomUUID(), reason: reasonOf(entry), ...texts };
  });
  let [earliest = "", latest = ""] = [entries[0]?.occurredAt, entries[0]?.occurredAt];
  for (const { occurredAt } of entries) {
    if (occurredAt < earliest) earliest = occurredAt;
    if (occurredAt > latest) latest = occurredAt;
  }
  const leaves = rows.map(leafOfRow).join("");
  const ids = rows.map(({ entry }) => entry.record.id);
  const instants = rows.map(({ entry }) => entry.occurredAt);
  return { rows, chainBatch: { batch, count: rows.length, leaves, earliest, latest, ids, instants } };
}

/** The reason of a verdict, if pages show it. */
function reasonOf({ record, projection: { decision, compaction } }: ProjectedRecord): string | null {
  const isVerdict = decision?.kind === "gate" && decision.verdict !== "none";
  const isTold = isVerdict || compaction?.effect === "vetoed";
  return isTold && record.reason !== "" ? pgText(record.reason) : null;
}

function leafOfRow({ entry, salt, answer, hooks, reason, facts }: Proven): string {
  const { record, projection } = entry;
  const content = contentDigest({ salt, input: record.inputText, answer, hooks, detail: projection.detail, reason });
  // One literal: put together from smaller ones it takes ten times as long.
  return dispatchLeafOf(
    {
      workspaceId: record.workspaceId,
      id: record.id,
      occurredAt: entry.occurredAt,
      receivedAt: record.receivedAt.toISOString(),
      agentId: record.agentId,
      agentName: entry.agentName,
      sessionId: projection.sessionId,
      event: record.event,
      lane: record.lane,
      origin: record.origin,
      toolName: projection.toolName,
      toolUseId: projection.toolUseId,
      toolError: projection.toolError,
      verdict: record.verdict,
      revision: record.revision,
      durationUs: durationOf(entry),
      facts,
    },
    content,
  );
}
