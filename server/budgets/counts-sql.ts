/** The condition in SQL under which a call counts in a budget. The migrations hold the same for reservations. */

/** Expressions of one call: ids of its workspace, its agent and its person as uuids, its model as text. */
export interface CountedCall {
  readonly workspace: string;
  readonly agent: string;
  readonly model: string;
  readonly person: string;
}

/** True where the call counts in the row `budget`. A call of an unknown person counts in no budget of people. */
export const countsSql = ({ workspace, agent, model, person }: CountedCall): string => `CASE budget.scope
  WHEN 'agent' THEN budget.target = ${agent}::text
  WHEN 'model' THEN budget.target = ${model}
  WHEN 'group' THEN EXISTS (SELECT FROM agent_group_member member WHERE member.workspace_id = ${workspace}
    AND member.agent_id = ${agent} AND member.group_id::text = budget.target)
  WHEN 'person' THEN ${countsForPersonSql(workspace, person)}
  WHEN 'sign_on_group' THEN ${countsForPersonSql(workspace, person)}
  ELSE true END`;

/** True where a person's calls count in the row `budget` of a person or a group of the sign-on provider. */
export const countsForPersonSql = (workspace: string, person: string): string =>
  `quarterdeck_counts_for_person(${workspace}, budget.scope, budget.target, ${person})`;
