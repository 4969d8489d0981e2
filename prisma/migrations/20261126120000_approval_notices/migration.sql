-- Notices of approval requests (docs/adr/0065-notices-are-gathered-before-they-are-sent.md). Columns with defaults, and a state that a
-- former release never claims: it asks for 'waiting' alone.
ALTER TABLE webhook ADD COLUMN shape text NOT NULL DEFAULT 'json' CHECK (shape IN ('json', 'slack', 'teams'));

ALTER TABLE webhook_delivery
  -- Equal notices have the same; null for what is sent as it is.
  ADD COLUMN group_key text CHECK (length(group_key) <= 64),
  -- When a message was made of gathered notices: so many a minute.
  ADD COLUMN released_at timestamptz,
  DROP CONSTRAINT webhook_delivery_state_check,
  -- `held`: a notice that is gathered with others first.
  ADD CONSTRAINT webhook_delivery_state_check
    CHECK (state IN ('held', 'waiting', 'delivered', 'dead', 'discarded') AND (state <> 'held' OR group_key IS NOT NULL));
CREATE INDEX webhook_delivery_held ON webhook_delivery (workspace_id, webhook_id, group_key) WHERE state = 'held';
CREATE INDEX webhook_delivery_released ON webhook_delivery (workspace_id, webhook_id, released_at) WHERE released_at IS NOT NULL;
