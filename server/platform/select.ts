/** Statements that read alike in a transaction of Prisma's and by a connection of the pool. */
import type { PoolClient, Tx } from "./db.ts";

/** Reads rows by one statement, whose parameters are cast in its text. */
export type Select = <Row>(text: string, ...values: unknown[]) => Promise<Row[]>;

/** Reads in Prisma's transaction, or by its pool. */
export const selectIn =
  (tx: Tx): Select =>
  (text, ...values) =>
    tx.$queryRawUnsafe(text, ...values);

/** Reads by a connection, or by the pool. */
export const selectBy =
  (client: Pick<PoolClient, "query">): Select =>
  async <Row>(text: string, ...values: unknown[]) =>
    // Holds: the author of the statement names its columns.
    (await client.query(text, values)).rows as Row[];
