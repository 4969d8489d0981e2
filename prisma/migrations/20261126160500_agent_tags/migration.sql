-- Tags of agents as targets of assignments (docs/adr/0069-a-tag-is-a-target.md). A column that may be null, and a wider choice of scopes: a
-- former release goes on with what it wrote; where a policy is assigned to a tag it refuses to read the assignments, and its gates deny.
ALTER TABLE assignment
  DROP CONSTRAINT assignment_scope_check,
  DROP CONSTRAINT assignment_check,
  ADD COLUMN tag text CHECK (length(tag) BETWEEN 1 AND 40),
  ADD CONSTRAINT assignment_scope_check CHECK (scope IN ('workspace', 'tag', 'group', 'agent')),
  ADD CONSTRAINT assignment_target_check CHECK ((scope IN ('group', 'agent')) = (target_id IS NOT NULL)),
  ADD CONSTRAINT assignment_tag_of_scope_check CHECK ((scope = 'tag') = (tag IS NOT NULL));
DROP INDEX assignment_once;
CREATE UNIQUE INDEX assignment_once ON assignment (workspace_id, policy_id, scope, target_id, tag) NULLS NOT DISTINCT;

-- The tags that a token's agents get.
ALTER TABLE enrolment_token ADD COLUMN tags text[] NOT NULL DEFAULT '{}' CHECK (cardinality(tags) <= 20);
