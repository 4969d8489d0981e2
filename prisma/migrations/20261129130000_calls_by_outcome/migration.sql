-- Tool calls by outcome: each call of `gates` is denied, sent to a person, allowed by a rule, undecided, or without a rule
-- (docs/adr/0087-a-call-counts-once.md). Calls from before count as allowed unless a gate denied them.
ALTER TABLE rollup_minute
  ADD COLUMN gates_denied bigint NOT NULL DEFAULT 0,
  ADD COLUMN gates_asked bigint NOT NULL DEFAULT 0;
ALTER TABLE rollup_hour
  ADD COLUMN gates_denied bigint NOT NULL DEFAULT 0,
  ADD COLUMN gates_asked bigint NOT NULL DEFAULT 0;
ALTER TABLE rollup_day
  ADD COLUMN gates_denied bigint NOT NULL DEFAULT 0,
  ADD COLUMN gates_asked bigint NOT NULL DEFAULT 0;

-- The cards of Home that each person chose, in their order. Without a row, what server/overview/cards/schema.ts says.
CREATE TABLE home_cards (
  workspace_id uuid NOT NULL,
  person_id uuid NOT NULL,
  cards jsonb NOT NULL CHECK (jsonb_typeof(cards) = 'array' AND length(cards::text) <= 2000),
  PRIMARY KEY (workspace_id, person_id),
  FOREIGN KEY (workspace_id, person_id) REFERENCES membership (workspace_id, person_id) ON DELETE CASCADE
);
SELECT quarterdeck_wall('home_cards');
