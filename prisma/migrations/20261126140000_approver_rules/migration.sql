-- Who answers which calls, and what happens meanwhile (docs/approvals.md, Rules). A new table, and columns that are nullable or have a
-- default: requests of a former release are asked of everybody who may answer, as before.
CREATE TABLE approver_rules (
  workspace_id uuid PRIMARY KEY REFERENCES workspace,
  -- As server/approvals/approver-rules-schema.ts says.
  rules jsonb NOT NULL,
  set_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  set_by text NOT NULL
);
SELECT quarterdeck_wall('approver_rules');

ALTER TABLE approval_request
  ADD COLUMN risk_class text NOT NULL DEFAULT 'medium' CHECK (risk_class IN ('low', 'medium', 'high', 'critical')),
  -- An allowance has to be confirmed by a second press.
  ADD COLUMN needs_confirmation boolean NOT NULL DEFAULT false,
  -- [{name, people, fromSeconds}]: who is asked, and when after the question. Null: everybody who may answer.
  ADD COLUMN route jsonb,
  -- The last list of the route whose turn has been announced.
  ADD COLUMN route_step smallint NOT NULL DEFAULT 0,
  ADD COLUMN remind_at timestamptz,
  ADD COLUMN reminded_at timestamptz;
CREATE INDEX approval_request_steps ON approval_request (workspace_id) WHERE state = 'pending' AND (route IS NOT NULL OR remind_at IS NOT NULL);
