/**
 * One committed batch of dispatches as an entry of the chain. It is numbered, dated and hashed like an administrative
 * entry, by the same rule over the same text (chain.ts), but stored in the columns of `chain_batch` instead of as JSON.
 * The view `chain_entry` rebuilds the text.
 */
import { canonicalTextParts } from "./chain.ts";
import { advanceHeadSql } from "./record-audit.ts";

export const BATCH_KIND = "dispatches_recorded";
/** Version of the entry's body: one leaf for every row, with its facts included in the hash (leaf.ts). */
const VERSION = 3;

export interface ChainBatch {
  /** The column `batch` of its rows. */
  readonly batch: string;
  readonly count: number;
  /** The leaves of its rows one after the other, in the order of `place`. */
  readonly leaves: string;
  /** The instants of its first and its last row: ISO with milliseconds. */
  readonly earliest: string;
  readonly latest: string;
  /** Ids of its rows, in the order of `place`; not part of the hash, which covers the leaves. */
  readonly ids: readonly string[];
  readonly instants: readonly string[];
}

/** The RFC 8785 text of the entry's body. It needs no escapes: a UUID, a number, two instants, base64url. */
export const batchBody = ({ batch, count, earliest, latest, leaves }: Omit<ChainBatch, "ids" | "instants">): string =>
  `{"batch":"${batch}","count":${count},"earliest":"${earliest}","kind":"${BATCH_KIND}","latest":"${latest}","leaves":"${leaves}","version":${VERSION}}`;

/**
 * The head keeps the number of the last change to halts (server/halts): a batch of verdicts is appended only if it was
 * decided under that number.
 */
const SAME_HALTS = "AND ($13::bigint IS NULL OR audit_head.halt_number = $13::bigint)";

/**
 * Appends one batch to its workspace's chain, under the lock of the head. It fails (23502, `seq`) without a head, or
 * when the halts have changed since its verdicts. Parameters: those of `batchParameters`. `before` are further parts of
 * the statement; with a `condition` on them they end before the head is locked.
 */
export const appendBatchSql = (before = "", condition = ""): string => `
  WITH ${before} ${advanceHeadSql(2, `${SAME_HALTS} ${condition}`)}
  INSERT INTO chain_batch (workspace_id, recorded_at, seq, hash, chain_version, batch, count, earliest, latest, leaves, version, ids, instants)
  SELECT $1::uuid, coalesce(head.at, clock_timestamp()), head.seq, head.hash, 2,
    $6::uuid, $7::int, $8::timestamptz, $9::timestamptz, $10::text, ${VERSION}, $11::uuid[], $12::timestamptz[]
  FROM (SELECT 1) AS once LEFT JOIN head ON true`;

/** The number of values that `batchParameters` gives. */
export const BATCH_PARAMETERS = 13;

/** `haltNumber`: the number of halts that its verdicts were decided under; null for a batch without verdicts. */
export function batchParameters(workspace: string, batch: ChainBatch, haltNumber: number | null): unknown[] {
  const about = { actor: null, from: null, kind: BATCH_KIND, target: null, changes: null };
  const parts = canonicalTextParts({ ...about, workspace, body: batchBody(batch) });
  return [
    workspace,
    ...parts,
    batch.batch,
    batch.count,
    batch.earliest,
    batch.latest,
    batch.leaves,
    batch.ids,
    batch.instants,
    haltNumber,
  ];
}
