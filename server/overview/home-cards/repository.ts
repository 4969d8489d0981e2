import type { Pool } from "../../platform/db.ts";

/** The stored cards of one person; undefined for a person who has chosen none. */
export async function find(pool: Pool, workspaceId: string, personId: string): Promise<unknown> {
  const { rows } = await pool.query<{ cards: unknown }>({
    name: "home_cards_find",
    text: "SELECT cards FROM home_cards WHERE workspace_id = $1 AND person_id = $2",
    values: [workspaceId, personId],
  });
  return rows[0]?.cards;
}

export async function save(pool: Pool, workspaceId: string, personId: string, cards: readonly string[]): Promise<void> {
  await pool.query(
    `INSERT INTO home_cards (workspace_id, person_id, cards) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id, person_id) DO UPDATE SET cards = excluded.cards`,
    [workspaceId, personId, JSON.stringify(cards)],
  );
}

export async function remove(pool: Pool, workspaceId: string, personId: string): Promise<void> {
  await pool.query("DELETE FROM home_cards WHERE workspace_id = $1 AND person_id = $2", [workspaceId, personId]);
}
