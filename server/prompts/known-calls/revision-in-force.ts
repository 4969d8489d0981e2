/** The revision of a judge prompt that its known calls are put to. */
import type { Pool } from "../../platform/db.ts";
import type { JudgedText } from "../schema.ts";

interface RevisionInForce extends JudgedText {
  readonly number: number;
  readonly sha256: string;
}

/** The newest revision that a policy in force names, else the latest one; null before the first publication. */
export async function findRevisionInForce(
  pool: Pick<Pool, "query">,
  workspaceId: string,
  prompt: { readonly id: string; readonly name: string },
): Promise<RevisionInForce | null> {
  const found = await pool.query<RevisionInForce>({
    name: "judge_prompt_in_force",
    text: `SELECT number, sha256, template, model, schema FROM judge_prompt_revision AS one
           WHERE workspace_id = $1 AND prompt_id = $2
           ORDER BY number IN (
             SELECT said.label[2]::int FROM policy
             JOIN policy_revision AS live ON live.workspace_id = policy.workspace_id AND live.policy_id = policy.id
               AND live.number = policy.live_revision
             CROSS JOIN LATERAL regexp_matches(live.source,
               'judge["'']?\\s*:\\s*["'']?([a-z0-9][a-z0-9._-]{0,63})@([0-9]{1,7})', 'g') AS said(label)
             WHERE policy.workspace_id = $1 AND strpos(live.source, $3 || '@') > 0 AND said.label[1] = $3
           ) DESC, number DESC LIMIT 1`,
    values: [workspaceId, prompt.id, prompt.name],
  });
  return found.rows[0] ?? null;
}
