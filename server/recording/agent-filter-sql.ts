/**
 * SQL: the row called `row` is of one of these agents. An enrolled agent also owns the rows under the names of its inner
 * agents. `names` is a text array; the row has workspace_id, agent_id and agent_name.
 */
export const isOfAgentsSql = (row: string, names: string): string =>
  `(${row}.agent_name = ANY(${names}) OR EXISTS (SELECT FROM agent AS enrolled
    WHERE enrolled.workspace_id = ${row}.workspace_id AND enrolled.id = ${row}.agent_id AND enrolled.name = ANY(${names})))`;
