/** The ledger of a load against the database: what was acknowledged and is not there, and what is there twice. */
import pg from "pg";
import type { LoadResult } from "./load.ts";

export interface StoredCalls {
  readonly lost: number;
  readonly doubled: number;
}

export async function compareStored(
  databaseUrl: string,
  { acknowledged, contradicted }: Pick<LoadResult, "acknowledged" | "contradicted">,
): Promise<StoredCalls> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5_000,
    query_timeout: 60_000,
  });
  client.on("error", () => undefined); // reported by the query that meets it
  try {
    await client.connect();
    await client.query("SELECT set_config('quarterdeck.workspace', '*', false)");
    const { rows } = await client.query<{ name: string; ids: string[] }>(
      "SELECT tool_use_id AS name, array_agg(id::text) AS ids FROM dispatch WHERE tool_use_id = ANY ($1) GROUP BY 1",
      [[...acknowledged.keys()]],
    );
    const idsByName = new Map(rows.map(({ name, ids }) => [name, ids]));
    const isLost = ([name, { dispatchId }]: readonly [string, { dispatchId: string }]) =>
      !idsByName.get(name)?.includes(dispatchId);
    const doubled = rows.filter(({ ids }) => ids.length > 1).length;
    return { lost: [...acknowledged].filter(isLost).length, doubled: doubled + contradicted.length };
  } finally {
    await client.end().catch(() => undefined);
  }
}
