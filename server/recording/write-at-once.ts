/**
 * Records that are new for certain, written by one statement that is a transaction of its own: one message to PostgreSQL
 * and one back. Each message wakes a process, which costs as much as several rows.
 */
import { appendBatchSql, BATCH_PARAMETERS, batchParameters } from "../audit/chain-batch.ts";
import type { Pool } from "../platform/db.ts";
import { addChainLeaves } from "./chain-leaves.ts";
import { dispatchTable } from "./dispatch-table.ts";
import type { Table } from "./insert-rows.ts";
import { byDeliveryName } from "./repository.ts";
import { deliveryTable, type ProjectedRecord } from "./tables.ts";

const namesOf = <Row>({ columns }: Table<Row>): string => Object.keys(columns).join(", ");
const typesOf = <Row>({ columns }: Table<Row>): string[] => Object.values(columns).map(([type]) => type);
const valuesOf = <Row>({ columns }: Table<Row>, rows: readonly Row[]): unknown[][] =>
  Object.values(columns).map(([, value]) => rows.map(value));

/** A part of the statement that inserts the rows in the parameters from number `first` on. */
function insertSql<Row>(table: Table<Row>, first: number): string {
  const arrays = typesOf(table).map((type, index) => `$${first + index}::${type}[]`);
  return `INSERT INTO ${table.name} (${namesOf(table)}) SELECT * FROM unnest(${arrays.join(", ")}) RETURNING 1`;
}

const FIRST_OF_NAMES = BATCH_PARAMETERS + 1;
const FIRST_OF_ROWS = FIRST_OF_NAMES + typesOf(deliveryTable).length;

/** The counts put the parts in order: all other work is done before the chain's head is locked. */
const WRITE_SQL = appendBatchSql(
  `claimed AS (${insertSql(deliveryTable, FIRST_OF_NAMES)}), stored AS (${insertSql(dispatchTable, FIRST_OF_ROWS)}),`,
  "AND (SELECT count(*) FROM claimed) + (SELECT count(*) FROM stored) > 0",
);

/**
 * True where one statement can write them: they belong to one workspace, and nothing of them has to be asked before. A report
 * may be sent again at any time.
 */
export function canWriteAtOnce(entries: readonly ProjectedRecord[]): boolean {
  const workspaceId = entries[0]?.record.workspaceId;
  const names = new Set<string>();
  let named = 0;
  for (const { record, projection } of entries) {
    if (record.workspaceId !== workspaceId || record.origin === "report" || record.grant !== undefined) return false;
    if (record.callKey !== undefined && projection.call !== null) return false;
    if (record.delivery === null) continue;
    named += 1;
    names.add(`${record.agentId} ${record.delivery.eventId}`);
  }
  return names.size === named;
}

/**
 * Writes records for which `canWriteAtOnce` is true, all or none. Errors: `isKnownName` when one of their names was used before;
 * those of appending to the chain.
 */
export async function writeAtOnce(pool: Pool, entries: readonly ProjectedRecord[]): Promise<void> {
  const { rows, chainBatch } = addChainLeaves(entries);
  const workspaceId = entries[0]?.record.workspaceId ?? "";
  const haltNumber = entries.find(({ record }) => record.haltNumber !== undefined)?.record.haltNumber ?? null;
  const named = entries.filter(({ record }) => record.delivery !== null).sort(byDeliveryName);
  await pool.query({
    name: "write_at_once",
    text: WRITE_SQL,
    values: [
      ...batchParameters(workspaceId, chainBatch, haltNumber),
      ...valuesOf(deliveryTable, named),
      ...valuesOf(dispatchTable, rows),
    ],
  });
}

const SQLSTATE_UNIQUE = "23505";

/** True for the error of a name that is on record. */
export const isKnownName = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "code" in error &&
  error.code === SQLSTATE_UNIQUE &&
  "table" in error &&
  String(error.table).startsWith(deliveryTable.name);
