import type { Pool } from "../platform/db.ts";

const INPUTS_MAX = 100;
const INPUT_CHARS_MAX = 8_192;

/** The newest recorded inputs, as they are stored. */
export async function listRecentInputs(pool: Pool, workspaceId: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ input: string }>(
    `SELECT input::text AS input FROM (SELECT input FROM dispatch WHERE workspace_id = $1 ORDER BY occurred_at DESC LIMIT $2) AS newest
     WHERE length(input::text) <= $3`,
    [workspaceId, INPUTS_MAX, INPUT_CHARS_MAX],
  );
  return rows.map(({ input }) => input);
}
