/** SQL conditions on calls by their follow-ups. */

export interface FollowUpFilters {
  /** Names of assignees. */
  readonly assignee: readonly string[];
  readonly keyword: readonly string[];
  readonly has: readonly "comments"[];
}

/** Conditions on `of`, a row of tool_decision. `bind` adds a parameter and gives its reference. */
export function followUpConditions(
  of: string,
  { assignee, keyword, has }: FollowUpFilters,
  bind: (value: unknown) => string,
): string[] {
  const conditions = [
    ...(assignee.length > 0 ? [`followed.assignee_name = ANY(${bind(assignee)}::text[])`] : []),
    ...(keyword.length > 0 ? [`followed.keywords && ${bind(keyword)}::text[]`] : []),
    ...(has.includes("comments")
      ? [
          `EXISTS (SELECT FROM call_comment AS comment
            WHERE comment.workspace_id = followed.workspace_id AND comment.follow_up_id = followed.id)`,
        ]
      : []),
  ];
  if (conditions.length === 0) return [];
  return [
    `EXISTS (SELECT FROM call_follow_up AS followed WHERE followed.workspace_id = ${of}.workspace_id
      AND followed.session_id = ${of}.session_id AND followed.agent_id = ${of}.agent_id
      AND (followed.tool_use_id = ${of}.tool_use_id OR (${of}.tool_use_id IS NULL AND followed.dispatch_id = ${of}.dispatch_id))
      AND ${conditions.join(" AND ")})`,
  ];
}
