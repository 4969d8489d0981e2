/** SQL that is true if a hold that stands covers the row `of`, whose instant is `at`. */
export const held = (of: string, at: string) => `EXISTS (SELECT FROM legal_hold AS hold
  WHERE hold.workspace_id = ${of}.workspace_id AND hold.released_at IS NULL
    AND (hold.agent_id IS NULL OR hold.agent_id = ${of}.agent_id)
    AND (hold.session_id IS NULL OR hold.session_id = ${of}.session_id)
    AND (hold.from_at IS NULL OR ${at} >= hold.from_at) AND (hold.to_at IS NULL OR ${at} < hold.to_at))`;
