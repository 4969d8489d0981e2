/** An evidence file of chosen dispatches: their rows, the policies' texts, and the chain from each to a signature. */

import { FIRST_HASH } from "../../audit/chain.ts";
import { EVIDENCE_VERSION, type EvidenceHead, type RevisionLine } from "../../audit/evidence-lines.ts";
import { type EvidenceSigner, type SealLine, sealEvidence } from "../../audit/evidence-seal.ts";
import { type DispatchLine, EXPORT_VERSION, type ExportHead, type ExportLine } from "../../audit/export-lines.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Database, Pool } from "../../platform/db.ts";
import { storedHooks } from "../../recording/schema.ts";
import { listNames } from "../names-repository.ts";
import * as evidence from "../repository.ts";
import { batchOf } from "../verification/chain-ranges.ts";
import {
  type DispatchKey,
  listPicked,
  listPublications,
  listRevisionTexts,
  listSignaturesBehind,
} from "./evidence-repository.ts";
import { entryLineOf } from "./export.ts";

/** One file is one text in memory, here and in a browser. */
const ENTRIES_MAX = 20_000;
const BYTES_MAX = 32 * 1024 * 1024;
/** Entries that a file takes on to prove the texts of policies; a text beyond them is stated, not proven. */
const PUBLICATION_ENTRIES_MAX = 2_000;
const PAGE_ENTRIES = 500;
/** With the key that the console names under Audit, Integrity and retention. */
const VERIFY = "node quarterdeck-verify.mjs --trust KEY evidence.jsonl";

export interface EvidenceAsked {
  readonly keys: readonly DispatchKey[];
  readonly calls: number;
  /** The range and the filter, as a person reads them. */
  readonly asked: string;
  readonly madeBy: string;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

const line = (value: ExportLine | EvidenceHead | RevisionLine | SealLine): string => `${JSON.stringify(value)}\n`;

/**
 * The file as JSON lines, sealed by `signer`. Errors: `invalid_input` when it would be too long for one file, or when
 * no chosen dispatch can be proven; `not_found` for a workspace without a record.
 */
export async function createEvidenceFile(
  db: Database,
  workspaceId: string,
  chosen: EvidenceAsked,
  signer: EvidenceSigner,
): Promise<string> {
  const { pool } = db;
  const end = await evidence.findHead(pool, workspaceId);
  if (!end) throw new AppError("not_found");
  const picked = await listPicked(pool, workspaceId, chosen.keys);
  const proven = picked.flatMap(({ seq, line: row }) => (seq === null ? [] : [{ seq, row }]));
  if (proven.length === 0)
    throw tooMuch("None of these decisions was recorded in a way that can be proven one by one.");
  const revisions = revisionsOf(proven.map(({ row }) => row));
  const batches = proven.map(({ seq }) => seq);
  const publications = await listPublications(pool, workspaceId, revisions);
  const stretches = await stretchesOf(pool, workspaceId, { batches, publications, end: end.seq });
  const rows = new Map<string, DispatchLine[]>();
  for (const { row } of proven) rows.set(row.batch, [...(rows.get(row.batch) ?? []), row]);
  const head: EvidenceHead = {
    type: "evidence",
    version: EVIDENCE_VERSION,
    workspace: workspaceId,
    name: await evidence.findWorkspaceName(pool, workspaceId),
    madeAt: new Date().toISOString(),
    madeBy: chosen.madeBy,
    asked: chosen.asked,
    calls: chosen.calls,
    dispatches: proven.length,
    unproven: picked.length - proven.length,
    stretches: stretches.length,
    verify: VERIFY,
  };
  const parts = [
    line(head),
    ...(await keyLinesOf(pool, workspaceId, signer, head.madeAt)),
    ...(await listRevisionTexts(pool, workspaceId, revisions)).map((text) => line({ type: "revision", ...text })),
  ];
  let bytes = 0;
  for (const stretch of stretches)
    for await (const text of linesOf(pool, workspaceId, { name: head.name, madeAt: head.madeAt, rows }, stretch)) {
      bytes += text.length;
      if (bytes > BYTES_MAX)
        throw tooMuch("The evidence is longer than 32 MiB. Choose a shorter range or a narrower filter.");
      parts.push(text);
    }
  const text = parts.join("");
  return text + line(sealEvidence(workspaceId, text, signer));
}

/** The keys that signed checkpoints, and the key of the seal. */
async function keyLinesOf(pool: Pool, workspaceId: string, signer: EvidenceSigner, now: string): Promise<string[]> {
  const keys = (await evidence.listKeys(pool, workspaceId)).map(({ id, publicKey, since }) => ({
    ...{ id, publicKey },
    since: since.toISOString(),
  }));
  if (!keys.some(({ id }) => id === signer.signingKeyId)) {
    const publicKey = signer.signingPublicKey.export({ type: "spki", format: "pem" }).toString();
    keys.push({ id: signer.signingKeyId, publicKey, since: now });
  }
  return keys.map((key) => line({ type: "key", ...key }));
}

const tooMuch = (says: string) => new AppError("invalid_input", undefined, { says });

interface Wanted {
  readonly batches: readonly number[];
  /** Entries to include as far as there is room. */
  readonly publications: readonly number[];
  readonly end: number;
}

/** The spans from each entry to the next signature; overlapping spans are merged. */
async function stretchesOf(
  pool: Pool,
  workspaceId: string,
  { batches, publications, end }: Wanted,
): Promise<Stretch[]> {
  const seqs = [...new Set([...batches, ...publications])];
  const signed = new Map((await listSignaturesBehind(pool, workspaceId, seqs)).map((one) => [one.seq, one.signed]));
  const joined = (of: readonly number[]): Stretch[] => {
    const stretches: Stretch[] = [];
    for (const seq of [...new Set(of)].toSorted((a, b) => a - b)) {
      const to = signed.get(seq) ?? end;
      if (stretches.at(-1)?.to !== to) stretches.push({ from: seq, to });
    }
    return stretches;
  };
  const sizeOf = (of: readonly number[]) => joined(of).reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const entries = sizeOf(batches);
  if (entries > ENTRIES_MAX)
    throw tooMuch(
      `Between these decisions and the signatures behind them stand ${entries.toLocaleString("en-US")} entries, and a file holds ${ENTRIES_MAX.toLocaleString("en-US")}. Choose a shorter range or a narrower filter.`,
    );
  const taken = [...batches];
  for (const seq of publications) if (sizeOf([...taken, seq]) <= entries + PUBLICATION_ENTRIES_MAX) taken.push(seq);
  return joined(taken);
}

interface Of {
  readonly name: string;
  readonly madeAt: string;
  readonly rows: ReadonlyMap<string, readonly DispatchLine[]>;
}

async function* linesOf(
  pool: Pool,
  workspaceId: string,
  { name, madeAt, rows }: Of,
  { from, to }: Stretch,
): AsyncGenerator<string> {
  const before = from === 1 ? null : await evidence.findEntry(pool, workspaceId, from - 1);
  const head: ExportHead = {
    type: "export",
    version: EXPORT_VERSION,
    ...{ workspace: workspaceId, name, exportedAt: madeAt, from, to },
    previous: before?.hash ?? FIRST_HASH,
    dispatches: true,
    picked: true,
  };
  yield line(head);
  const signed = new Map(
    (await evidence.listCheckpoints(pool, workspaceId, { after: from - 1, to })).map((one) => [one.seq, one]),
  );
  let [after, count, hash] = [from - 1, 0, head.previous];
  while (after < to) {
    const entries = await evidence.listEntries(pool, workspaceId, { after, to, limit: PAGE_ENTRIES });
    const names = await listNames(pool, workspaceId, { after, to: entries.at(-1)?.seq ?? after });
    for (const entry of entries) {
      const vouching = signed.get(entry.seq);
      yield line(entryLineOf(entry, names)) + (vouching === undefined ? "" : line(vouching));
      for (const row of rows.get(batchOf(entry)?.id ?? "") ?? []) yield line(row);
      [after, count, hash] = [entry.seq, count + 1, entry.hash];
    }
    if (entries.length === 0) break;
  }
  yield line({ type: "end", entries: count, seq: after, hash });
}

/** The revisions whose hooks ran for these dispatches. */
function revisionsOf(rows: readonly DispatchLine[]): { policy: string; revision: number }[] {
  const named = new Map<string, { policy: string; revision: number }>();
  for (const { content } of rows) {
    const hooks = content === null ? [] : (storedHooks.safeParse(jsonOf(content.hooks)).data ?? []);
    for (const { policy, revision } of hooks)
      if (policy !== "" && revision > 0) named.set(`${policy} ${revision}`, { policy, revision });
  }
  return [...named.values()];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
