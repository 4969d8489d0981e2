-- A policy is assigned to a person or a service (a principal that was not merged), or to a group of the sign-on provider.
ALTER TABLE assignment DROP CONSTRAINT assignment_scope_check;
ALTER TABLE assignment ADD CONSTRAINT assignment_scope_check
  CHECK (scope IN ('workspace', 'tag', 'group', 'sign_on_group', 'person', 'agent'));
ALTER TABLE assignment DROP CONSTRAINT assignment_target_check;
ALTER TABLE assignment ADD CONSTRAINT assignment_target_check
  CHECK ((scope IN ('group', 'sign_on_group', 'person', 'agent')) = (target_id IS NOT NULL));

-- The agents behind the targets that stand for many: a group, a person, a group of the sign-on provider. Row security is the reader's.
CREATE VIEW agent_audience WITH (security_invoker = true) AS
  SELECT workspace_id, 'group' AS scope, group_id AS target_id, agent_id FROM agent_group_member
  UNION ALL
  SELECT owned.workspace_id, 'person', coalesce(known.merged_into, known.id), owned.agent_id
  FROM agent_owner AS owned JOIN principal AS known ON known.workspace_id = owned.workspace_id AND known.id = owned.principal_id
  UNION ALL
  SELECT DISTINCT owned.workspace_id, 'sign_on_group', member.group_id, owned.agent_id
  FROM agent_owner AS owned JOIN principal AS known ON known.workspace_id = owned.workspace_id AND known.id = owned.principal_id
  JOIN principal AS own ON own.workspace_id = known.workspace_id
    AND (own.id = coalesce(known.merged_into, known.id) OR own.merged_into = coalesce(known.merged_into, known.id))
  JOIN sign_on_group_member AS member ON member.workspace_id = own.workspace_id AND member.person_id = own.account_id;
