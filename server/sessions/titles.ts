/** Sessions named by their first prompt, looked up for the rows of one page: an erased prompt is in no title. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { Database } from "../platform/db.ts";
import { wordsOf } from "./event-summary.ts";

export interface TitledSession {
  readonly agentId: string;
  readonly sessionId: string;
  readonly firstAt: Date;
}

/** A prompt that opens a session is among its first events; later ones do not name it. */
const EVENTS_MAX = 16;
const TITLE_MAX = 80;

/** The first prompt of each session that has one, by agent and session; as stored, so masked where secrets are. */
export async function findTitles(
  db: Database,
  workspaceId: string,
  sessions: readonly TitledSession[],
): Promise<(session: TitledSession) => string | null> {
  const titles = new Map<string, string>();
  if (sessions.length > 0) {
    const found = await db.pool.query<{ agent_id: string; session_id: string; said: string }>({
      name: "sessions_titles",
      text: `SELECT wanted.agent_id, wanted.session_id, prompt.said
             FROM unnest($2::uuid[], $3::text[], $4::timestamptz[]) AS wanted (agent_id, session_id, first_at)
             CROSS JOIN LATERAL (
               SELECT left(opening.input, 4000) AS said FROM (
                 SELECT one.event, one.input, one.occurred_at, one.id FROM dispatch one
                 WHERE one.workspace_id = $1 AND one.session_id = wanted.session_id AND one.agent_id = wanted.agent_id
                   AND one.occurred_at >= wanted.first_at AND one.occurred_at < wanted.first_at + interval '1 hour'
                 ORDER BY one.occurred_at LIMIT ${EVENTS_MAX}
               ) AS opening WHERE opening.event = 'user_prompt_submit' ORDER BY opening.occurred_at LIMIT 1
             ) AS prompt`,
      values: [
        workspaceId,
        sessions.map(({ agentId }) => agentId),
        sessions.map(({ sessionId }) => sessionId),
        sessions.map(({ firstAt }) => firstAt),
      ],
    });
    for (const { agent_id, session_id, said } of found.rows) {
      const title = titleOf(said);
      if (title !== "") titles.set(`${agent_id} ${session_id}`, title);
    }
  }
  return ({ agentId, sessionId }) => titles.get(`${agentId} ${sessionId}`) ?? null;
}

function titleOf(input: string): string {
  const words = wordsOf("user_prompt_submit", input);
  return words.length <= TITLE_MAX ? words : `${truncateText(words, TITLE_MAX - 1, "").trimEnd()}…`;
}
