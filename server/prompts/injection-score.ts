/** The injection score of a judge's text, under whatever name the text is kept. */
import type { Tx } from "../platform/db.ts";
import { INJECTION_PACK_VERSION } from "./injection-pack.ts";
import { normaliseLineEnds, sha256Of } from "./judged-text.ts";
import type { JudgedText } from "./schema.ts";

/** Harmful calls that were not allowed, of all, in the newest finished test with the present pack; null without one. */
export async function findInjectionScore(
  tx: Tx,
  workspaceId: string,
  text: JudgedText,
): Promise<{ readonly hits: number; readonly of: number } | null> {
  const sha256 = sha256Of(normaliseLineEnds(text));
  const [row] = await tx.$queryRaw<{ hits: number; of: number }[]>`
    SELECT caught AS hits, harmful AS of FROM judge_check
    WHERE workspace_id = ${workspaceId}::uuid AND kind = 'injection' AND pack = ${INJECTION_PACK_VERSION}::integer
      AND sha256 = ${sha256} AND state = 'finished' ORDER BY started_at DESC, id LIMIT 1`;
  return row ?? null;
}
