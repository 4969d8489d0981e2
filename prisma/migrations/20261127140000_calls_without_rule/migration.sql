-- Tool calls that no rule ran for, apart from those whose rules had nothing to say (docs/adr/0087-a-call-counts-once.md).
ALTER TABLE rollup_minute ADD COLUMN gates_without_rule bigint NOT NULL DEFAULT 0;
ALTER TABLE rollup_hour ADD COLUMN gates_without_rule bigint NOT NULL DEFAULT 0;
ALTER TABLE rollup_day ADD COLUMN gates_without_rule bigint NOT NULL DEFAULT 0;
