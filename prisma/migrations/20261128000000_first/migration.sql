-- The tables, functions and triggers of the first release.
--
-- Every table with a workspace leads its keys with workspace_id, so that tables can be distributed by workspace later
-- (docs/adr/0047-keys-lead-with-the-workspace.md). Some tables are also Prisma models; recorded things are written and read
-- with SQL alone.
--
-- Row security is a second wall under the repositories (docs/adr/0018-row-level-security.md). Whatever a query says, it touches
-- only rows of the workspace that the connection was given (server/platform/scope.ts), or of every workspace when it was given
-- '*'. Without a workspace, touching a row is an error: an answer without rows could mean that nothing is forbidden.

-- Raises the wall around a table with a workspace_id. Every migration that makes one calls it; twice does no harm.
CREATE FUNCTION quarterdeck_wall(walled regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', walled);
  EXECUTE format('DROP POLICY IF EXISTS workspace_wall ON %s', walled);
  -- Each SELECT is evaluated once a query. The first is asked with <>, which the planner takes for true of nearly every row:
  -- it goes on expecting as many as the query's own conditions promise, and so keeps to its indexes.
  EXECUTE format($policy$CREATE POLICY workspace_wall ON %s USING (
    (SELECT CASE current_setting('quarterdeck.workspace', true) WHEN '*' THEN 'all' ELSE 'one' END) <> 'one'
    OR workspace_id = (SELECT nullif(current_setting('quarterdeck.workspace'), '*')::uuid))$policy$, walled);
END $$;

-- Workspaces, agents and policies -------------------------------------------------------------------------------------

CREATE TABLE workspace (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE person (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  -- Lower case; absent until somebody names one.
  email text UNIQUE,
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- When the person signed in last. Until somebody has, a start prints a link.
  signed_in_at timestamptz
);

CREATE TABLE membership (
  workspace_id uuid NOT NULL CONSTRAINT person_workspace_id_fkey REFERENCES workspace,
  person_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  role text NOT NULL
    CHECK (role IN ('viewer', 'approver', 'author', 'admin', 'auditor', 'owner')),
  -- Who made the way in, by id: an account whose address is not proven counts as theirs when four eyes are asked.
  invited_by_id text,
  PRIMARY KEY (workspace_id, person_id),
  CONSTRAINT membership_of_person FOREIGN KEY (person_id) REFERENCES person
);
CREATE INDEX membership_by_person ON membership (person_id);
SELECT quarterdeck_wall('membership');

CREATE TABLE sign_in_link (
  workspace_id uuid NOT NULL,
  token_sha256 bytea NOT NULL,
  person_id uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  -- The person who made the link in a browser, for themselves; null for one made on the machine.
  made_by uuid,
  PRIMARY KEY (token_sha256),
  FOREIGN KEY (workspace_id, person_id) REFERENCES membership ON DELETE CASCADE
);
SELECT quarterdeck_wall('sign_in_link');

CREATE TABLE browser_session (
  workspace_id uuid NOT NULL,
  token_sha256 text NOT NULL,
  person_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
  updated_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  ip text,
  user_agent text,
  -- Set when what the person may do has changed: the next request gets a new token, and the old one fades.
  must_renew boolean NOT NULL DEFAULT false,
  former_sha256 text,
  former_until timestamptz,
  -- When whoever a browser session is of last proved who they are (docs/adr/0072-the-gravest-acts-ask-who-you-are.md).
  confirmed_at timestamptz,
  FOREIGN KEY (workspace_id, person_id) REFERENCES membership ON DELETE CASCADE,
  CONSTRAINT browser_session_token UNIQUE (token_sha256)
);
CREATE INDEX browser_session_of_person ON browser_session (person_id);
CREATE INDEX browser_session_by_former ON browser_session (former_sha256) WHERE former_sha256 IS NOT NULL;
SELECT quarterdeck_wall('browser_session');

CREATE TABLE agent (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL,
  is_demo boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz,
  last_revision text,
  tags text[] NOT NULL DEFAULT '{}',
  -- A retired agent keeps its name, its keys and its record; its keys open nothing until it is brought back.
  retired_at timestamptz,
  -- The client of an agent: the dialect of its latest event.
  client text CHECK (length(client) <= 40),
  -- As its client or its machine says.
  client_version text CHECK (length(client_version) <= 40),
  -- The newest call for its policies, and the revision that it was given.
  polled_at timestamptz,
  polled_revision text CHECK (length(polled_revision) <= 64),
  -- The newest event that says that its client asks nobody.
  yolo_at timestamptz,
  -- The newest question about a gate without a nonce: no relay checks who answers it (docs/fleet.md).
  unsigned_asked_at timestamptz,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name)
);
SELECT quarterdeck_wall('agent');

CREATE TABLE agent_key (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  agent_id uuid NOT NULL,
  key_sha256 bytea NOT NULL UNIQUE,
  hint text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  scopes text[] NOT NULL DEFAULT '{dispatch,report,policy}',
  last_used_at timestamptz,
  -- The person who made the key: they do not answer for its agent. Null for keys of scripts.
  created_by_id text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent ON DELETE CASCADE
);
CREATE INDEX agent_key_of_agent ON agent_key (workspace_id, agent_id);
SELECT quarterdeck_wall('agent_key');

CREATE TABLE policy (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL,
  is_demo boolean NOT NULL DEFAULT false,
  latest_revision integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Which version of which pack a policy's text was last taken from, and that text's hash: an update replaces only what nobody changed.
  pack_id text,
  pack_version integer,
  pack_sha256 text,
  -- Which revision is in force, apart from which is the newest: a rollback points back, a canary has not arrived yet.
  live_revision integer NOT NULL DEFAULT 0,
  -- A revision that some agents try before the others: those of a share by hash, and those of a group.
  canary_revision integer,
  canary_share integer CHECK (canary_share BETWEEN 0 AND 100),
  canary_group_id uuid,
  canary_since timestamptz,
  canary_by text,
  -- A second person's approval of exactly one text, and whether a policy's publication needs one.
  four_eyes boolean NOT NULL DEFAULT false,
  -- Who asked to switch it off: somebody else has to agree.
  four_eyes_off_by text,
  four_eyes_off_name text,
  four_eyes_off_at timestamptz,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name),
  CONSTRAINT policy_pack_whole CHECK (num_nulls(pack_id, pack_version, pack_sha256) IN (0, 3)),
  CONSTRAINT policy_canary_whole CHECK (
    (canary_revision IS NULL) = (canary_share IS NULL)
    AND (canary_revision IS NULL) = (canary_since IS NULL)
    AND (canary_revision IS NULL) = (canary_by IS NULL)
    AND (canary_group_id IS NULL OR canary_revision IS NOT NULL)
    ),
  CONSTRAINT policy_four_eyes_off_whole CHECK (num_nulls(four_eyes_off_by, four_eyes_off_name, four_eyes_off_at) IN (0, 3))
);
SELECT quarterdeck_wall('policy');

CREATE TABLE policy_draft (
  workspace_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  source text NOT NULL,
  base_revision integer NOT NULL,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  PRIMARY KEY (workspace_id, policy_id),
  FOREIGN KEY (workspace_id, policy_id) REFERENCES policy ON DELETE CASCADE
);
SELECT quarterdeck_wall('policy_draft');

CREATE TABLE policy_revision (
  workspace_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  number integer NOT NULL,
  profile text NOT NULL,
  source text NOT NULL,
  hooks jsonb NOT NULL,
  sha256 text NOT NULL,
  note text NOT NULL,
  author text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, policy_id, number),
  FOREIGN KEY (workspace_id, policy_id) REFERENCES policy ON DELETE CASCADE
);
SELECT quarterdeck_wall('policy_revision');

-- Which policies bind whom: the latest revision of the policy is in force wherever the policy is assigned.
CREATE TABLE assignment (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  policy_id uuid NOT NULL,
  scope text NOT NULL,
  target_id uuid,
  position integer NOT NULL DEFAULT 0,
  mode text NOT NULL DEFAULT 'enforce' CHECK (mode IN ('enforce', 'observe')),
  observe_until timestamptz,
  -- A policy reaches the same target once. An observed assignment says until when; then it is enforced, by itself.
  observe_since timestamptz,
  observe_by text,
  tag text CHECK (length(tag) BETWEEN 1 AND 40),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, policy_id) REFERENCES policy ON DELETE CASCADE,
  CONSTRAINT assignment_observed_until CHECK ((mode = 'observe') = (observe_until IS NOT NULL)),
  CONSTRAINT assignment_scope_check CHECK (scope IN ('workspace', 'tag', 'group', 'agent')),
  CONSTRAINT assignment_target_check CHECK ((scope IN ('group', 'agent')) = (target_id IS NOT NULL)),
  CONSTRAINT assignment_tag_of_scope_check CHECK ((scope = 'tag') = (tag IS NOT NULL))
);
CREATE INDEX assignment_of_policy ON assignment (workspace_id, policy_id);
CREATE INDEX assignment_of_target ON assignment (workspace_id, scope, target_id);
CREATE UNIQUE INDEX assignment_once ON assignment (workspace_id, policy_id, scope, target_id, tag) NULLS NOT DISTINCT;
SELECT quarterdeck_wall('assignment');

-- The audit chain: entry n holds sha256(hash of n-1 || sha256 of its own body); audit_head is what the next entry locks.
CREATE TABLE audit_head (
  workspace_id uuid PRIMARY KEY REFERENCES workspace,
  seq bigint NOT NULL DEFAULT 0,
  hash bytea NOT NULL DEFAULT '\x0000000000000000000000000000000000000000000000000000000000000000',
  at timestamptz,
  -- The chain number of the last change to the workspace's halts; 0 before the first. A verdict is committed only while
  -- this is the number that it was decided under (docs/adr/0056-a-halt-stands-in-the-chains-head.md).
  halt_number bigint NOT NULL DEFAULT 0
);
SELECT quarterdeck_wall('audit_head');

CREATE TABLE audit_entry (
  workspace_id uuid NOT NULL,
  seq bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  kind text NOT NULL,
  body text NOT NULL,
  hash bytea NOT NULL,
  -- `target` is what an entry is about (`policy/<id>`), `changes` what differs before and after; both are hashed like the body.
  chain_version smallint NOT NULL DEFAULT 1,
  actor_kind text,
  actor_id text,
  actor_name text,
  ip text,
  user_agent text,
  target text,
  changes text,
  PRIMARY KEY (workspace_id, seq)
);
-- The acts of people, without the many batches between them.
CREATE INDEX audit_entry_of_acts ON audit_entry (workspace_id, seq) WHERE kind <> 'dispatches_recorded';
CREATE INDEX audit_entry_of_kind ON audit_entry (workspace_id, kind, seq) WHERE kind <> 'dispatches_recorded';
SELECT quarterdeck_wall('audit_entry');

CREATE TABLE dispatch (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  event text NOT NULL,
  lane text NOT NULL,
  origin text NOT NULL,
  tool_name text,
  tool_use_id text,
  tool_error boolean,
  detail text,
  verdict text NOT NULL,
  revision text NOT NULL,
  duration_us integer NOT NULL,
  input text NOT NULL,
  answer text NOT NULL,
  hooks text NOT NULL,
  -- Where a row stands in the digest of its batch. `salt` keeps an erased content from being guessed by its hash;
  -- `content_sha256` and `erased_at` are set when the content is erased.
  batch uuid,
  place integer,
  salt uuid,
  content_sha256 text,
  erased_at timestamptz,
  -- The facts that figures are derived from (server/recording/facts.ts), as canonical JSON text: its bytes are under the leaf, and
  -- erasing a content leaves it.
  facts text,
  -- Why the verdict is as it is, where somebody reads it: a word, under the leaf with the other contents and erased with them.
  reason text,
  PRIMARY KEY (workspace_id, occurred_at, id)
) PARTITION BY RANGE (occurred_at);
CREATE INDEX dispatch_of_session ON dispatch (workspace_id, session_id, occurred_at);
-- Batches lie in the order of their ids, near enough: a few pages hold the rows of one.
CREATE INDEX dispatch_of_batch ON dispatch USING brin (batch) WITH (pages_per_range = 16, autosummarize = on);
-- The tools that ran, by call: a denial is compared with them, and a session may have a hundred thousand rows. A name, since
-- behind row-level security `left()` serves no index, and an identity from outside may be longer than an index row.
CREATE INDEX dispatch_ran ON dispatch (workspace_id, (session_id::name), (tool_use_id::name)) WHERE event = 'post_tool_use';
-- How turns ended and how agents were switched, by session: the list of sessions is filtered by both.
CREATE INDEX dispatch_word ON dispatch (workspace_id, session_id, (detail::name)) WHERE event IN ('turn_end', 'on_agent_switch');
SELECT quarterdeck_wall('dispatch');

-- What was delivered under which idempotency key, so that a repeat finds its first answer.
CREATE TABLE delivery (
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  event_id uuid NOT NULL,
  body_sha256 bytea NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  -- An answer that held a secret, encrypted: what is shown is masked, what is repeated must be as it was first given.
  sealed_answer bytea,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, agent_id, event_id)
) PARTITION BY HASH (event_id);
-- Deliveries lie in the order of their time, near enough: a few pages hold those of a step.
CREATE INDEX delivery_by_time ON delivery USING brin (occurred_at) WITH (pages_per_range = 16, autosummarize = on);
CREATE INDEX delivery_by_arrival ON delivery USING brin (received_at) WITH (pages_per_range = 16, autosummarize = on);
SELECT quarterdeck_wall('delivery');
DO $$ BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF delivery FOR VALUES WITH (MODULUS 16, REMAINDER %s)', 'delivery_' || lpad(part::text, 2, '0'), part);
  END LOOP;
  PERFORM quarterdeck_wall(inhrelid) FROM pg_inherits WHERE inhparent = 'delivery'::regclass;
END $$;

CREATE TABLE tool_decision (
  workspace_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  kind text NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  event text NOT NULL,
  tool_name text NOT NULL,
  tool_use_id text,
  verdict text NOT NULL,
  source text NOT NULL,
  reason text NOT NULL,
  excerpt text NOT NULL,
  PRIMARY KEY (workspace_id, occurred_at, dispatch_id)
);
CREATE INDEX tool_decision_by_verdict ON tool_decision (workspace_id, verdict, occurred_at, dispatch_id);
CREATE INDEX tool_decision_of_session ON tool_decision (workspace_id, session_id, occurred_at);
CREATE INDEX tool_decision_by_tool ON tool_decision (workspace_id, (tool_name::name), occurred_at, dispatch_id);
CREATE INDEX tool_decision_by_agent ON tool_decision (workspace_id, (agent_name::name), occurred_at, dispatch_id);
CREATE INDEX tool_decision_by_source ON tool_decision (workspace_id, (source::name), occurred_at, dispatch_id);
-- The agents' last words over a call, for outcomes of its hooks that come after them. No gate writes to this table any more.
CREATE INDEX tool_decision_final ON tool_decision (workspace_id, session_id, (tool_use_id::name))
  WHERE kind = 'final' AND tool_use_id IS NOT NULL;
-- The verdicts of policies over one call, beside the agent's last words over it (tool_decision_final): a list of calls pairs them.
-- A name, since behind row-level security `left()` serves no index. No gate writes to this table: only figures wait while it is built.
CREATE INDEX tool_decision_gate ON tool_decision (workspace_id, session_id, (tool_use_id::name))
  WHERE kind = 'gate' AND tool_use_id IS NOT NULL;
-- An agent reads its own denials, by its id: a name may have been another agent's. Behind row-level security a uuid serves an index.
-- No gate writes to this table: only figures wait while it is built.
CREATE INDEX tool_decision_denied_agent ON tool_decision (workspace_id, agent_id, occurred_at, dispatch_id) WHERE verdict = 'deny';
SELECT quarterdeck_wall('tool_decision');

CREATE TABLE llm_call (
  workspace_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  model_id text NOT NULL,
  cost_nano bigint,
  cost_usd numeric,
  has_usage boolean NOT NULL,
  input_tokens bigint,
  output_tokens bigint,
  cached_input_tokens bigint,
  cached_write_tokens bigint,
  reasoning_tokens bigint,
  PRIMARY KEY (workspace_id, occurred_at, dispatch_id)
);
CREATE INDEX llm_call_of_session ON llm_call (workspace_id, session_id, occurred_at);
CREATE INDEX llm_call_unpriced ON llm_call (workspace_id, dispatch_id) WHERE cost_usd IS NULL;
SELECT quarterdeck_wall('llm_call');

CREATE TABLE compaction (
  workspace_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  event text NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  reason text NOT NULL,
  input_tokens bigint,
  output_tokens bigint,
  context_limit bigint,
  effect text NOT NULL,
  effect_text text NOT NULL,
  summary text,
  summary_bytes integer,
  -- The secrets that were masked in a summary, by rule: [["rule", count], ...]. Null where nobody counted.
  secrets text,
  PRIMARY KEY (workspace_id, occurred_at, dispatch_id)
);
CREATE INDEX compaction_of_session ON compaction (workspace_id, session_id, occurred_at);
SELECT quarterdeck_wall('compaction');

CREATE TABLE session (
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  session_id text NOT NULL,
  agent_name text NOT NULL,
  parent_session_id text,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  last_end_at timestamptz,
  last_end_reason text,
  events bigint NOT NULL,
  denied bigint NOT NULL,
  compactions bigint NOT NULL,
  calls_priced bigint NOT NULL,
  calls_free bigint NOT NULL,
  calls_unpriced bigint NOT NULL,
  cost_nano bigint NOT NULL,
  tokens bigint NOT NULL,
  -- Turns of a session, counted where its events are.
  turns bigint,
  PRIMARY KEY (workspace_id, agent_id, session_id)
) PARTITION BY HASH (workspace_id);
CREATE INDEX session_by_last ON session (workspace_id, last_at);
CREATE INDEX session_by_parent ON session (workspace_id, parent_session_id) WHERE parent_session_id IS NOT NULL;
SELECT quarterdeck_wall('session');
DO $$ BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF session FOR VALUES WITH (MODULUS 16, REMAINDER %s)', 'session_' || lpad(part::text, 2, '0'), part);
  END LOOP;
  PERFORM quarterdeck_wall(inhrelid) FROM pg_inherits WHERE inhparent = 'session'::regclass;
END $$;

-- Sums per minute and per hour, agent and model ('' for everything that is not a model call).
CREATE TABLE rollup_minute (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  model_id text NOT NULL,
  dispatches bigint NOT NULL DEFAULT 0,
  gates bigint NOT NULL DEFAULT 0,
  gates_without_opinion bigint NOT NULL DEFAULT 0,
  gate_denied bigint NOT NULL DEFAULT 0,
  hooks_failed bigint NOT NULL DEFAULT 0,
  allowed bigint NOT NULL DEFAULT 0,
  denied bigint NOT NULL DEFAULT 0,
  canceled bigint NOT NULL DEFAULT 0,
  prompted bigint NOT NULL DEFAULT 0,
  compactions bigint NOT NULL DEFAULT 0,
  calls_priced bigint NOT NULL DEFAULT 0,
  calls_free bigint NOT NULL DEFAULT 0,
  calls_unpriced bigint NOT NULL DEFAULT 0,
  calls_without_usage bigint NOT NULL DEFAULT 0,
  cost_nano bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  cached_input_tokens bigint NOT NULL DEFAULT 0,
  cached_write_tokens bigint NOT NULL DEFAULT 0,
  reasoning_tokens bigint NOT NULL DEFAULT 0,
  -- Tool calls that no rule ran for, apart from those whose rules had nothing to say (docs/adr/0087-a-call-counts-once.md).
  gates_without_rule bigint NOT NULL DEFAULT 0,
  notifications bigint NOT NULL DEFAULT 0,
  errors bigint NOT NULL DEFAULT 0,
  iteration_limits bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, bucket, agent_id, agent_name, model_id)
) WITH (fillfactor = 70);

CREATE TABLE rollup_hour (LIKE rollup_minute INCLUDING ALL) WITH (fillfactor = 70);

-- A month read hour by hour is a hundred thousand rows. Whole days are summed once, as they are recorded.
CREATE TABLE rollup_day (LIKE rollup_hour INCLUDING ALL) WITH (fillfactor = 70);
SELECT quarterdeck_wall('rollup_day');
SELECT quarterdeck_wall('rollup_hour');
SELECT quarterdeck_wall('rollup_minute');

-- Judges --------------------------------------------------------------------------------------------------------------

-- Where judges' models are asked. The credential is sealed (AES-256-GCM); its key is not in the database.
CREATE TABLE model_connection (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL,
  provider text NOT NULL CHECK (provider IN ('openai', 'anthropic', 'google', 'openai-compatible')),
  base_url text NOT NULL,
  credential bytea,
  credential_hint text,
  credential_set_at timestamptz,
  calls_per_day bigint,
  nano_per_day bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name)
);
SELECT quarterdeck_wall('model_connection');

-- Nano-dollars per million tokens. A kind without a price of its own costs what plain input costs.
CREATE TABLE model_price (
  workspace_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  model text NOT NULL,
  input bigint NOT NULL,
  output bigint NOT NULL,
  cached_input bigint,
  cache_write bigint,
  PRIMARY KEY (workspace_id, connection_id, model),
  FOREIGN KEY (workspace_id, connection_id) REFERENCES model_connection ON DELETE CASCADE
);
SELECT quarterdeck_wall('model_price');

-- What one judge (a hook of a policy, by name) may ask in a day, beside what its connection may.
CREATE TABLE judge_cap (
  workspace_id uuid NOT NULL REFERENCES workspace,
  policy text NOT NULL,
  hook text NOT NULL,
  calls_per_day bigint,
  nano_per_day bigint,
  PRIMARY KEY (workspace_id, policy, hook)
);
SELECT quarterdeck_wall('judge_cap');

-- Today's use, reserved before a call and corrected after it: what racing calls on every node count on.
-- `account` is a connection's id, or a hash of a judge's policy and hook.
CREATE TABLE judge_spend_day (
  workspace_id uuid NOT NULL,
  day date NOT NULL,
  account text NOT NULL,
  calls bigint NOT NULL,
  nano bigint NOT NULL,
  PRIMARY KEY (workspace_id, day, account)
);
SELECT quarterdeck_wall('judge_spend_day');

-- Recorded with their dispatch. The words (prompt and reply) are in the dispatch's own row, under the same digest.
CREATE TABLE judge_call (
  workspace_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  place integer NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  event text NOT NULL,
  tool_name text,
  policy text NOT NULL,
  revision integer NOT NULL,
  hook text NOT NULL,
  model text NOT NULL,
  provider text NOT NULL,
  verdict text NOT NULL,
  cause text NOT NULL,
  pricing text NOT NULL,
  cost_nano bigint,
  input_tokens bigint,
  output_tokens bigint,
  cached_input_tokens bigint,
  cache_write_tokens bigint,
  reasoning_tokens bigint,
  latency_ms double precision,
  -- Which judge prompt and revision the asking hook was labelled with: `name@3`.
  label text,
  PRIMARY KEY (workspace_id, occurred_at, dispatch_id, place)
);
CREATE INDEX judge_call_by_cause ON judge_call (workspace_id, cause, occurred_at) WHERE cause <> '';
CREATE INDEX judge_call_by_label ON judge_call (workspace_id, label, occurred_at) WHERE label IS NOT NULL;
CREATE INDEX judge_call_of_session ON judge_call (workspace_id, session_id, occurred_at);
SELECT quarterdeck_wall('judge_call');

CREATE TABLE judge_minute (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  policy text NOT NULL,
  hook text NOT NULL,
  model text NOT NULL,
  cause text NOT NULL,
  calls bigint NOT NULL,
  priced bigint NOT NULL,
  free bigint NOT NULL,
  unpriced bigint NOT NULL,
  unanswered bigint NOT NULL,
  cost_nano bigint NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  PRIMARY KEY (workspace_id, bucket, policy, hook, model, cause)
) WITH (fillfactor = 70);

CREATE TABLE judge_hour (LIKE judge_minute INCLUDING ALL) WITH (fillfactor = 70);
SELECT quarterdeck_wall('judge_hour');

CREATE TABLE judge_day (LIKE judge_minute INCLUDING ALL) WITH (fillfactor = 70);
SELECT quarterdeck_wall('judge_day');
SELECT quarterdeck_wall('judge_minute');

-- Groups, freezes and observed policies -------------------------------------------------------------------------------

-- Groups of agents. The order of groups is the order of their policies in an agent's effective set.
CREATE TABLE agent_group (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL,
  position integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A group may be made by a pattern of agents' names. Its members are rows as those of any group: every act that gives an agent its
  -- name, or a group its pattern, writes them anew.
  name_pattern text CHECK (length(name_pattern) BETWEEN 1 AND 200),
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name)
);
SELECT quarterdeck_wall('agent_group');

CREATE TABLE agent_group_member (
  workspace_id uuid NOT NULL,
  group_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, group_id, agent_id),
  FOREIGN KEY (workspace_id, group_id) REFERENCES agent_group ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent ON DELETE CASCADE
);
CREATE INDEX agent_group_of_agent ON agent_group_member (workspace_id, agent_id);
SELECT quarterdeck_wall('agent_group_member');

-- While there is a row, nothing that is in force in the workspace changes.
CREATE TABLE workspace_freeze (
  workspace_id uuid PRIMARY KEY REFERENCES workspace,
  reason text NOT NULL,
  frozen_by text NOT NULL,
  frozen_at timestamptz NOT NULL DEFAULT now()
);
SELECT quarterdeck_wall('workspace_freeze');

-- What a policy that is only observed would have decided, beside what was decided. `is_stricter`: it would have stopped,
-- or asked about, what went through.
CREATE TABLE observation (
  workspace_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  revision integer NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  event text NOT NULL,
  tool_name text,
  verdict text NOT NULL,
  decided text NOT NULL,
  is_stricter boolean NOT NULL,
  reason text NOT NULL,
  hooks text NOT NULL,
  duration_us integer NOT NULL,
  PRIMARY KEY (workspace_id, policy_id, occurred_at, dispatch_id)
);
CREATE INDEX observation_stricter ON observation (workspace_id, policy_id, occurred_at, dispatch_id) WHERE is_stricter;
SELECT quarterdeck_wall('observation');

-- How much was looked at, per policy, revision and hour: the denominators of the above, and what was dropped.
CREATE TABLE observation_hour (
  workspace_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  revision integer NOT NULL,
  gates bigint NOT NULL DEFAULT 0,
  judged bigint NOT NULL DEFAULT 0,
  denied bigint NOT NULL DEFAULT 0,
  asked bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  dropped bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, policy_id, bucket, revision)
);
SELECT quarterdeck_wall('observation_hour');

-- Reviews -------------------------------------------------------------------------------------------------------------

-- Everybody whose text went into the draft, by id: none of them can be its second person.
CREATE TABLE policy_draft_editor (
  workspace_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  actor_id text NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (workspace_id, policy_id, actor_id),
  FOREIGN KEY (workspace_id, policy_id) REFERENCES policy_draft ON DELETE CASCADE
);
SELECT quarterdeck_wall('policy_draft_editor');

CREATE TABLE policy_review (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  policy_id uuid NOT NULL,
  source text NOT NULL,
  sha256 text NOT NULL,
  -- The newest revision when it was sent.
  base_revision integer NOT NULL,
  note text NOT NULL,
  author_id text NOT NULL,
  author_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  state text NOT NULL DEFAULT 'open'
    CHECK (state IN ('open', 'approved', 'changes_requested', 'withdrawn', 'published', 'outdated')),
  decided_by text,
  decided_name text,
  decided_at timestamptz,
  -- The revision it became.
  revision integer,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, policy_id) REFERENCES policy ON DELETE CASCADE,
  CHECK ((state = 'published') = (revision IS NOT NULL))
);
CREATE INDEX policy_review_newest ON policy_review (workspace_id, created_at DESC);
CREATE INDEX policy_review_of_policy ON policy_review (workspace_id, policy_id, created_at DESC);
-- One at a time: a text sent again takes the place of the one before.
CREATE UNIQUE INDEX policy_review_current ON policy_review (workspace_id, policy_id) WHERE state IN ('open', 'approved');
SELECT quarterdeck_wall('policy_review');

CREATE TABLE policy_review_comment (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  review_id uuid NOT NULL,
  author_id text NOT NULL,
  author_name text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, review_id) REFERENCES policy_review ON DELETE CASCADE
);
CREATE INDEX policy_review_comment_of_review ON policy_review_comment (workspace_id, review_id, created_at);
SELECT quarterdeck_wall('policy_review_comment');

-- Cases of policies ---------------------------------------------------------------------------------------------------

-- What a policy is held to: an input, and what is expected of it. The last run is kept, with the text it ran on.
CREATE TABLE policy_case (
  workspace_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  event text NOT NULL,
  lane text NOT NULL,
  input text NOT NULL,
  is_masked boolean NOT NULL DEFAULT false,
  keeps_secrets boolean NOT NULL DEFAULT false,
  runs_agent_hooks boolean NOT NULL DEFAULT false,
  expect jsonb NOT NULL,
  judge_replies jsonb NOT NULL DEFAULT '[]',
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  last_passed boolean,
  last_differs jsonb,
  last_run_at timestamptz,
  last_sha256 text,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, policy_id, name),
  FOREIGN KEY (workspace_id, policy_id) REFERENCES policy ON DELETE CASCADE
);
SELECT quarterdeck_wall('policy_case');

-- Judge prompts -------------------------------------------------------------------------------------------------------

-- A judge prompt as people govern it: what a judge is asked with, in immutable numbered revisions.
CREATE TABLE judge_prompt (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  -- What policies' labels name it by (`name@3`), so it never changes.
  name text NOT NULL,
  latest_revision integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name)
);
SELECT quarterdeck_wall('judge_prompt');

CREATE TABLE judge_prompt_draft (
  workspace_id uuid NOT NULL,
  prompt_id uuid NOT NULL,
  template text NOT NULL,
  model text NOT NULL,
  schema text NOT NULL,
  base_revision integer NOT NULL,
  version integer NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  PRIMARY KEY (workspace_id, prompt_id),
  FOREIGN KEY (workspace_id, prompt_id) REFERENCES judge_prompt ON DELETE CASCADE
);
SELECT quarterdeck_wall('judge_prompt_draft');

-- `fingerprint` is what the linter compares hooks by; `sha256` is over the same three texts.
CREATE TABLE judge_prompt_revision (
  workspace_id uuid NOT NULL,
  prompt_id uuid NOT NULL,
  number integer NOT NULL,
  template text NOT NULL,
  model text NOT NULL,
  schema text NOT NULL,
  sha256 text NOT NULL,
  fingerprint text NOT NULL,
  note text NOT NULL,
  author text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, prompt_id, number),
  FOREIGN KEY (workspace_id, prompt_id) REFERENCES judge_prompt ON DELETE CASCADE
);
SELECT quarterdeck_wall('judge_prompt_revision');

-- A text tried on recorded calls, within a budget. The text is kept whole: a draft moves on. `revision` 0 is a draft.
CREATE TABLE judge_trial (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  prompt_id uuid NOT NULL,
  revision integer NOT NULL,
  template text NOT NULL,
  model text NOT NULL,
  schema text NOT NULL,
  sha256 text NOT NULL,
  repeats integer NOT NULL,
  calls_max integer NOT NULL,
  nano_max bigint,
  timeout_ms integer NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'finished', 'canceled', 'spent', 'stopped')),
  -- Why it ended before everything was asked.
  says text NOT NULL DEFAULT '',
  is_canceling boolean NOT NULL DEFAULT false,
  started_by text NOT NULL,
  started_at timestamptz NOT NULL,
  -- Renewed while it runs, so that a trial whose process is gone can be told.
  beat_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, prompt_id) REFERENCES judge_prompt ON DELETE CASCADE
);
CREATE INDEX judge_trial_of_prompt ON judge_trial (workspace_id, prompt_id, started_at);
SELECT quarterdeck_wall('judge_trial');

-- One question of a trial, planned until it was asked (`asked_at`). `place` counts the recorded calls, `repeat` the times.
CREATE TABLE judge_trial_call (
  workspace_id uuid NOT NULL,
  trial_id uuid NOT NULL,
  place integer NOT NULL,
  repeat integer NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  event text NOT NULL,
  tool_name text,
  agent_name text NOT NULL,
  asked_at timestamptz,
  -- As of judge_call: allow, ask, deny, context, nothing, or failed.
  verdict text,
  cause text NOT NULL DEFAULT '',
  reason text NOT NULL DEFAULT '',
  reply text,
  latency_ms double precision,
  input_tokens bigint,
  output_tokens bigint,
  pricing text,
  cost_nano bigint,
  PRIMARY KEY (workspace_id, trial_id, place, repeat),
  FOREIGN KEY (workspace_id, trial_id) REFERENCES judge_trial ON DELETE CASCADE
);
SELECT quarterdeck_wall('judge_trial_call');

-- What people think of a judge's answer: one label per answer and person. `subject` names the answer
-- (`call <ms>.<dispatch>.<place>` or `trial <id>.<place>.<repeat>`). A prompt's labels outlive the trial, not the prompt.
CREATE TABLE judge_label (
  workspace_id uuid NOT NULL,
  subject text NOT NULL,
  person_id text NOT NULL,
  person text NOT NULL,
  prompt_id uuid,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  word text NOT NULL CHECK (word IN ('right', 'too_strict', 'too_loose')),
  verdict text NOT NULL,
  expected text NOT NULL CHECK (expected IN ('allow', 'ask', 'deny')),
  note text NOT NULL,
  labelled_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, subject, person_id),
  FOREIGN KEY (workspace_id, prompt_id) REFERENCES judge_prompt ON DELETE CASCADE
);
CREATE INDEX judge_label_of_prompt ON judge_label (workspace_id, prompt_id, occurred_at, dispatch_id);
SELECT quarterdeck_wall('judge_label');

-- The record: checkpoints, retention, legal holds ---------------------------------------------------------------------

-- Copies of what was written outside: the file and the webhook are what counts.
CREATE TABLE audit_checkpoint (
  workspace_id uuid NOT NULL REFERENCES workspace,
  seq bigint NOT NULL,
  hash text NOT NULL,
  at text NOT NULL,
  key_id text NOT NULL,
  signature text NOT NULL,
  webhook_url text,
  webhook_attempts integer NOT NULL DEFAULT 0,
  webhook_error text,
  webhook_next_at timestamptz,
  webhook_delivered_at timestamptz,
  PRIMARY KEY (workspace_id, seq)
);
SELECT quarterdeck_wall('audit_checkpoint');

-- Every public key that ever signed a checkpoint.
CREATE TABLE audit_key (
  workspace_id uuid NOT NULL REFERENCES workspace,
  key_id text NOT NULL,
  public_key text NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, key_id)
);
SELECT quarterdeck_wall('audit_key');

CREATE TABLE record_setting (
  workspace_id uuid PRIMARY KEY REFERENCES workspace,
  checkpoint_entries integer NOT NULL DEFAULT 1000 CHECK (checkpoint_entries BETWEEN 1 AND 1000000),
  checkpoint_seconds integer NOT NULL DEFAULT 300 CHECK (checkpoint_seconds BETWEEN 1 AND 86400),
  webhook_url text,
  -- Why no checkpoint is signed any more: the chain contradicts what was written outside.
  checkpoint_fault text,
  raw_until timestamptz,
  raw_reason text
);
SELECT quarterdeck_wall('record_setting');

-- Days that a kind of data is kept; a kind without a row is kept for ever.
CREATE TABLE retention (
  workspace_id uuid NOT NULL REFERENCES workspace,
  kind text NOT NULL CHECK (kind IN ('dispatches', 'activity', 'judge_calls', 'figures')),
  days integer NOT NULL CHECK (days BETWEEN 1 AND 36500),
  PRIMARY KEY (workspace_id, kind)
);
SELECT quarterdeck_wall('retention');

-- What may not be dropped or erased while it stands. Null means any.
CREATE TABLE legal_hold (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  reason text NOT NULL,
  agent_id uuid,
  session_id text,
  from_at timestamptz,
  to_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  released_at timestamptz,
  released_by text,
  PRIMARY KEY (workspace_id, id)
);
SELECT quarterdeck_wall('legal_hold');

-- People and service accounts -----------------------------------------------------------------------------------------

-- How a person proves who they are: a password (provider `credential`) or the provider's subject.
CREATE TABLE person_account (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  provider_id text NOT NULL,
  account_id text NOT NULL,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider_id, account_id)
);
CREATE INDEX person_account_of_person ON person_account (person_id);

-- Sealed under the installation's session secret; recovery codes too.
CREATE TABLE person_second_factor (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean NOT NULL DEFAULT true,
  failed_verification_count integer NOT NULL DEFAULT 0,
  locked_until timestamptz,
  -- The newest half minute whose code was used: neither it nor an older one opens again.
  last_step integer
);
CREATE INDEX person_second_factor_of_person ON person_second_factor (person_id);

-- What waits for its other half: a reset link, a sign-on under way, a second factor. Identifiers are hashed.
CREATE TABLE person_verification (
  id uuid PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX person_verification_by_identifier ON person_verification (identifier);

CREATE TABLE invitation (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  token_sha256 bytea NOT NULL UNIQUE,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('viewer', 'approver', 'author', 'admin', 'auditor', 'owner')),
  invited_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  -- Whoever made an invitation must still be allowed to when it is accepted.
  maker_kind text CHECK (maker_kind IN ('person', 'script', 'service')),
  maker_id text,
  -- True once it left by mail, and its link was shown to nobody.
  is_mailed_only boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX invitation_by_email ON invitation (email) WHERE accepted_at IS NULL AND withdrawn_at IS NULL;
SELECT quarterdeck_wall('invitation');

CREATE TABLE service_account (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('viewer', 'approver', 'author', 'admin', 'auditor')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name)
);
SELECT quarterdeck_wall('service_account');

CREATE TABLE service_token (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  token_sha256 bytea NOT NULL UNIQUE,
  hint text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_by_id text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, account_id) REFERENCES service_account ON DELETE CASCADE
);
SELECT quarterdeck_wall('service_token');

-- Of the whole installation: the sign-on provider, the mail server. What is secret in it is sealed apart.
CREATE TABLE installation_setting (
  name text PRIMARY KEY,
  value jsonb NOT NULL,
  sealed bytea,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text NOT NULL
);

-- Months of dispatches ------------------------------------------------------------------------------------------------

-- Makes the month of `dispatch` that begins at `first` when it is missing: attached and not created in place, since a month that
-- was dropped may be made again by a late report, and that must not wait for whoever reads.
CREATE FUNCTION quarterdeck_add_month(first date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  month text := 'dispatch_' || to_char(first, 'YYYY_MM');
BEGIN
  IF to_regclass(month) IS NOT NULL THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(7202);
  -- Asked of the table: to_regclass would repeat what it said before the lock was taken.
  IF EXISTS (SELECT FROM pg_class WHERE relname = month AND relnamespace = 'public'::regnamespace) THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE dispatch INCLUDING ALL)', month);
  PERFORM quarterdeck_wall(month::regclass);
  EXECUTE format('ALTER TABLE dispatch ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', month,
    to_char(first, 'YYYY-MM-01') || 'Z', to_char(first + interval '1 month', 'YYYY-MM-01') || 'Z');
END $$;
REVOKE EXECUTE ON FUNCTION quarterdeck_add_month FROM PUBLIC;

-- The ledger ----------------------------------------------------------------------------------------------------------

-- What became of the cost of a call after it was recorded, in steps per call and kind. An entry holds what stands from then
-- on (`nano`) and what it adds to every sum, so that sums are sums of entries.
CREATE TABLE ledger_entry (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('correction', 'repricing')),
  step integer NOT NULL CHECK (step > 0),
  -- The entry before it; null: the call as it was reported.
  corrects uuid,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  model_id text NOT NULL,
  -- Null: no estimate stands any more.
  nano bigint,
  priced smallint NOT NULL DEFAULT 0,
  free smallint NOT NULL DEFAULT 0,
  unpriced smallint NOT NULL DEFAULT 0,
  corrected smallint NOT NULL DEFAULT 0,
  corrected_nano bigint NOT NULL DEFAULT 0,
  estimated smallint NOT NULL DEFAULT 0,
  estimated_nano bigint NOT NULL DEFAULT 0,
  price_version integer,
  author text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, occurred_at, dispatch_id, kind, step),
  UNIQUE (workspace_id, id),
  CHECK ((step = 1) = (corrects IS NULL)),
  CHECK (nano IS NOT NULL OR kind = 'repricing'),
  CHECK (kind = 'repricing' OR (estimated = 0 AND estimated_nano = 0)),
  CHECK (kind = 'correction' OR (priced = 0 AND free = 0 AND unpriced = 0 AND corrected = 0 AND corrected_nano = 0))
);
CREATE INDEX ledger_entry_of_session ON ledger_entry (workspace_id, session_id, occurred_at);
SELECT quarterdeck_wall('ledger_entry');

-- The ledger stays as it was written; a name in it gives way to the alias of the request that erases it, and nothing else does.
CREATE FUNCTION quarterdeck_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'ledger_entry' THEN
    IF EXISTS (SELECT FROM agent WHERE workspace_id = OLD.workspace_id AND id = OLD.agent_id AND is_demo) THEN RETURN OLD; END IF;
  END IF;
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'ledger_entry' THEN
    IF to_jsonb(NEW) - 'agent_name' = to_jsonb(OLD) - 'agent_name' AND EXISTS (SELECT FROM erasure_request AS request
      WHERE request.workspace_id = OLD.workspace_id AND request.agent_name IS NOT NULL AND NEW.agent_name <> OLD.agent_name
        AND NEW.agent_name = quarterdeck_renamed(OLD.agent_name, request.agent_name, request.alias)) THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER ledger_entry_stands BEFORE UPDATE OR DELETE ON ledger_entry
  FOR EACH ROW EXECUTE FUNCTION quarterdeck_append_only();
CREATE TRIGGER ledger_entry_is_kept BEFORE TRUNCATE ON ledger_entry
  FOR EACH STATEMENT EXECUTE FUNCTION quarterdeck_append_only();

-- Sums of entries, beside those of calls: how much of a sum is corrections, and what is estimated beside it.
CREATE TABLE ledger_minute (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  model_id text NOT NULL,
  corrected bigint NOT NULL DEFAULT 0,
  corrected_nano bigint NOT NULL DEFAULT 0,
  estimated bigint NOT NULL DEFAULT 0,
  estimated_nano bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, bucket, agent_id, agent_name, model_id)
);

CREATE TABLE ledger_hour (LIKE ledger_minute INCLUDING ALL);
SELECT quarterdeck_wall('ledger_hour');

CREATE TABLE ledger_day (LIKE ledger_minute INCLUDING ALL);
SELECT quarterdeck_wall('ledger_day');
SELECT quarterdeck_wall('ledger_minute');

-- A price list, as it was when it was saved. Nano-dollars per million tokens.
CREATE TABLE price_version (
  workspace_id uuid NOT NULL REFERENCES workspace,
  version integer NOT NULL,
  prices jsonb NOT NULL,
  note text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  PRIMARY KEY (workspace_id, version)
);
SELECT quarterdeck_wall('price_version');
CREATE TRIGGER price_version_stands BEFORE UPDATE OR DELETE ON price_version
  FOR EACH ROW EXECUTE FUNCTION quarterdeck_append_only();

-- The version that calls without a cost are estimated with, and how far that has come.
CREATE TABLE price_estimation (
  workspace_id uuid PRIMARY KEY REFERENCES workspace,
  version integer NOT NULL,
  begun_at timestamptz NOT NULL,
  begun_by text NOT NULL,
  -- Calls up to this id were looked at; ids grow with time.
  reached uuid NOT NULL,
  -- When it had first looked at all there was.
  settled_at timestamptz,
  FOREIGN KEY (workspace_id, version) REFERENCES price_version
);
SELECT quarterdeck_wall('price_estimation');

-- A month that was closed, word for word: `content` is canonical JSON, `sha256` is over its bytes.
CREATE TABLE ledger_statement (
  workspace_id uuid NOT NULL REFERENCES workspace,
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  content text NOT NULL,
  sha256 text NOT NULL,
  closed_at timestamptz NOT NULL,
  closed_by text NOT NULL,
  PRIMARY KEY (workspace_id, month)
);
SELECT quarterdeck_wall('ledger_statement');
CREATE TRIGGER ledger_statement_stands BEFORE UPDATE OR DELETE ON ledger_statement
  FOR EACH ROW EXECUTE FUNCTION quarterdeck_append_only();

-- Budgets -------------------------------------------------------------------------------------------------------------

-- What may be spent, by whom, in which time. Money in nano-dollars, periods in days of UTC.
CREATE TABLE budget (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('workspace', 'group', 'agent', 'model', 'session')),
  -- A group's or an agent's id, or a model's; '' for the workspace and for each session.
  target text NOT NULL,
  period text NOT NULL CHECK (period IN ('day', 'month', 'total')),
  amount_nano bigint NOT NULL CHECK (amount_nano > 0),
  -- The most one call may cost: what is reserved before it.
  reserve_nano bigint CHECK (reserve_nano > 0),
  -- Percent of the amount, rising.
  thresholds integer[] NOT NULL,
  is_hard boolean NOT NULL,
  unpriced text NOT NULL CHECK (unpriced IN ('deny', 'count', 'pass')),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name),
  CHECK (reserve_nano IS NOT NULL OR (NOT is_hard AND unpriced = 'pass'))
);
SELECT quarterdeck_wall('budget');

-- What is spent and held in one period: what racing calls on every node count on. `subject` is an agent and its session
-- where each session has the whole amount, else ''. Held: reserved by calls that have not reported what they cost.
CREATE TABLE budget_account (
  workspace_id uuid NOT NULL,
  budget_id uuid NOT NULL,
  period_start date NOT NULL,
  subject text NOT NULL,
  spent_nano bigint NOT NULL DEFAULT 0,
  -- Unpriced calls at what was reserved for them.
  assumed_nano bigint NOT NULL DEFAULT 0,
  held_nano bigint NOT NULL DEFAULT 0,
  priced bigint NOT NULL DEFAULT 0,
  free bigint NOT NULL DEFAULT 0,
  unpriced bigint NOT NULL DEFAULT 0,
  -- Calls that cost more than was reserved for them.
  beyond bigint NOT NULL DEFAULT 0,
  refused bigint NOT NULL DEFAULT 0,
  refused_at timestamptz,
  first_at timestamptz,
  -- The dearest call that an account has counted: what a call reserves where that is more than its budget says.
  dearest_nano bigint NOT NULL DEFAULT 0,
  -- Calls that cost something and had reserved nothing: what a cap cannot hold back.
  unreserved bigint NOT NULL DEFAULT 0,
  unreserved_nano bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, budget_id, period_start, subject),
  FOREIGN KEY (workspace_id, budget_id) REFERENCES budget ON DELETE CASCADE
) WITH (fillfactor = 70);
-- Which sessions are closest to the amount.
CREATE INDEX budget_account_fullest ON budget_account
  (workspace_id, budget_id, period_start, (spent_nano + assumed_nano + held_nano) DESC) WHERE subject <> '';
SELECT quarterdeck_wall('budget_account');

-- A call that was let through and has not reported its cost, once for each hard budget it counts in.
CREATE TABLE budget_reservation (
  workspace_id uuid NOT NULL,
  request_id uuid NOT NULL,
  budget_id uuid NOT NULL,
  period_start date NOT NULL,
  subject text NOT NULL,
  nano bigint NOT NULL,
  agent_id uuid NOT NULL,
  session_id text NOT NULL,
  model_id text NOT NULL,
  made_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, agent_id, request_id, budget_id),
  FOREIGN KEY (workspace_id, budget_id) REFERENCES budget ON DELETE CASCADE
);
CREATE INDEX budget_reservation_of_session ON budget_reservation (workspace_id, agent_id, session_id, made_at);
CREATE INDEX budget_reservation_of_budget ON budget_reservation (workspace_id, budget_id, period_start, made_at);
SELECT quarterdeck_wall('budget_reservation');

-- A threshold that was passed: once for each period, and for each session where sessions are capped.
CREATE TABLE budget_alert (
  workspace_id uuid NOT NULL,
  budget_id uuid NOT NULL,
  period_start date NOT NULL,
  subject text NOT NULL,
  threshold integer NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  used_nano bigint NOT NULL,
  amount_nano bigint NOT NULL,
  -- When the threshold was sent to webhooks.
  notified_at timestamptz,
  awaits_notice boolean NOT NULL DEFAULT true,
  PRIMARY KEY (workspace_id, budget_id, period_start, subject, threshold),
  FOREIGN KEY (workspace_id, budget_id) REFERENCES budget ON DELETE CASCADE
);
CREATE INDEX budget_alert_newest ON budget_alert (workspace_id, at DESC);
CREATE INDEX budget_alert_unsent ON budget_alert (at) WHERE notified_at IS NULL;
CREATE INDEX budget_alert_awaiting ON budget_alert (workspace_id, at) WHERE awaits_notice;
SELECT quarterdeck_wall('budget_alert');

-- Models whose newest recorded call had no cost; kept where a budget refuses such models.
CREATE TABLE budget_unpriced_model (
  workspace_id uuid NOT NULL REFERENCES workspace,
  model_id text NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, model_id)
);
SELECT quarterdeck_wall('budget_unpriced_model');

-- The first day of the period that holds `day`. Everything that has no end begins in 2000.
CREATE FUNCTION quarterdeck_budget_period(period text, day date) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE period WHEN 'day' THEN day WHEN 'month' THEN date_trunc('month', day::timestamp)::date
    ELSE date '2000-01-01' END
$$;

-- One call that counts in one account.
CREATE TYPE budget_claim AS (place bigint, budget_id uuid, period_start date, subject text);

-- Reserves for calls of one workspace, in their order, or refuses: one row for each refusal. A call is reserved for in every
-- hard budget that it counts in or in none. All accounts are locked first and in one order, so that neither two nodes nor
-- what settles wait for each other in a circle; what is compared is what stands there under the lock.
CREATE FUNCTION quarterdeck_budget_reserve(workspace uuid, requests uuid[], agents uuid[], sessions text[], models text[],
  today date)
RETURNS TABLE (request_id uuid, budget_id uuid, name text, why text, used_nano bigint, amount_nano bigint, reserve_nano bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  one record;
  refusal record;
  claims budget_claim[];
  now timestamptz := clock_timestamp();
BEGIN
  IF NOT EXISTS (SELECT FROM budget WHERE workspace_id = workspace AND is_hard) THEN RETURN; END IF;
  SELECT array_agg(ROW(asked.place, budget.id, quarterdeck_budget_period(budget.period, today),
      CASE budget.scope WHEN 'session' THEN asked.agent || ' ' || asked.session ELSE '' END)::budget_claim)
    INTO claims
    FROM unnest(requests, agents, sessions, models) WITH ORDINALITY AS asked (request, agent, session, model, place)
    JOIN budget ON budget.workspace_id = workspace AND budget.is_hard AND CASE budget.scope
      WHEN 'agent' THEN budget.target = asked.agent::text
      WHEN 'model' THEN budget.target = asked.model
      WHEN 'group' THEN EXISTS (SELECT FROM agent_group_member member WHERE member.workspace_id = workspace
        AND member.agent_id = asked.agent AND member.group_id = budget.target::uuid)
      ELSE true END;
  IF claims IS NULL THEN RETURN; END IF;
  INSERT INTO budget_account (workspace_id, budget_id, period_start, subject)
    SELECT DISTINCT workspace, budget_id, period_start, subject FROM unnest(claims) AS claim ORDER BY 2, 3, 4
    ON CONFLICT DO NOTHING;
  PERFORM FROM budget_account account
    WHERE account.workspace_id = workspace AND (account.budget_id, account.period_start, account.subject)
      IN (SELECT budget_id, period_start, subject FROM unnest(claims) AS claim)
    ORDER BY account.budget_id, account.period_start, account.subject FOR UPDATE;
  FOR one IN SELECT * FROM unnest(requests, agents, sessions, models) WITH ORDINALITY
    AS asked (request, agent, session, model, place) ORDER BY place
  LOOP
    -- The same request once more: it has its reservation.
    CONTINUE WHEN EXISTS (SELECT FROM budget_reservation known
      WHERE known.workspace_id = workspace AND known.agent_id = one.agent AND known.request_id = one.request);
    SELECT budget.id, budget.name, budget.amount_nano,
      greatest(budget.reserve_nano, account.dearest_nano) AS reserve_nano, account.period_start, account.subject,
      account.spent_nano + account.assumed_nano + account.held_nano AS used,
      CASE WHEN account.spent_nano + account.assumed_nano + account.held_nano
          + greatest(budget.reserve_nano, account.dearest_nano) > budget.amount_nano
        THEN 'no_room' ELSE 'unpriced' END AS why
    INTO refusal
    FROM unnest(claims) AS claim
    JOIN budget ON budget.workspace_id = workspace AND budget.id = claim.budget_id AND budget.is_hard
    JOIN budget_account account ON account.workspace_id = workspace AND account.budget_id = claim.budget_id
      AND account.period_start = claim.period_start AND account.subject = claim.subject
    WHERE claim.place = one.place
      AND (account.spent_nano + account.assumed_nano + account.held_nano
          + greatest(budget.reserve_nano, account.dearest_nano) > budget.amount_nano
        OR (budget.unpriced = 'deny' AND EXISTS (SELECT FROM budget_unpriced_model known
          WHERE known.workspace_id = workspace AND known.model_id = one.model)))
    ORDER BY budget.id LIMIT 1;
    IF FOUND THEN
      UPDATE budget_account account SET refused = refused + 1, refused_at = now
        WHERE account.workspace_id = workspace AND account.budget_id = refusal.id
          AND account.period_start = refusal.period_start AND account.subject = refusal.subject;
      RETURN QUERY SELECT one.request::uuid, refusal.id::uuid, refusal.name::text, refusal.why::text,
        refusal.used::bigint, refusal.amount_nano::bigint, refusal.reserve_nano::bigint;
      CONTINUE;
    END IF;
    INSERT INTO budget_reservation (workspace_id, request_id, budget_id, period_start, subject, nano, agent_id, session_id,
        model_id, made_at)
      SELECT workspace, one.request, budget.id, claim.period_start, claim.subject,
        greatest(budget.reserve_nano, account.dearest_nano), one.agent, one.session, one.model, now
      FROM unnest(claims) AS claim JOIN budget ON budget.workspace_id = workspace AND budget.id = claim.budget_id AND budget.is_hard
      JOIN budget_account account ON account.workspace_id = workspace AND account.budget_id = claim.budget_id
        AND account.period_start = claim.period_start AND account.subject = claim.subject
      WHERE claim.place = one.place;
    UPDATE budget_account account SET held_nano = account.held_nano + greatest(budget.reserve_nano, account.dearest_nano)
      FROM unnest(claims) AS claim JOIN budget ON budget.workspace_id = workspace AND budget.id = claim.budget_id AND budget.is_hard
      WHERE claim.place = one.place AND account.workspace_id = workspace AND account.budget_id = claim.budget_id
        AND account.period_start = claim.period_start AND account.subject = claim.subject;
  END LOOP;
END $$;

-- Decisions and hooks, counted ----------------------------------------------------------------------------------------

-- The agents' own last words (`on_tool_approval_decision`). `by_judge`: the hook that decided it here had asked a model.
CREATE TABLE decision_hour (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  tool_name text NOT NULL,
  source text NOT NULL,
  verdict text NOT NULL,
  by_judge boolean NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (workspace_id, bucket, agent_id, agent_name, tool_name, source, verdict, by_judge)
) WITH (fillfactor = 70);

CREATE TABLE decision_day (LIKE decision_hour INCLUDING ALL) WITH (fillfactor = 70);
SELECT quarterdeck_wall('decision_day');
SELECT quarterdeck_wall('decision_hour');

-- One row for each outcome and latency bucket, so that counts and percentiles of any stretch are plain sums. `latency` numbers
-- a bucket of server/recording/latency.ts; -1 for a hook that was not started or did not end by itself.
CREATE TABLE hook_hour (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  policy text NOT NULL,
  event text NOT NULL,
  hook text NOT NULL,
  outcome text NOT NULL,
  latency smallint NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (workspace_id, bucket, policy, event, hook, outcome, latency)
) WITH (fillfactor = 70);

CREATE TABLE hook_day (LIKE hook_hour INCLUDING ALL) WITH (fillfactor = 70);
SELECT quarterdeck_wall('hook_day');
SELECT quarterdeck_wall('hook_hour');

-- The outcomes somebody may ask about one by one: what a hook denied, asked and failed at, and what judges allowed.
-- The words are in the dispatch's own row.
CREATE TABLE hook_outcome (
  workspace_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  place integer NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  event text NOT NULL,
  tool_name text,
  tool_use_id text,
  policy text NOT NULL,
  revision integer NOT NULL,
  hook text NOT NULL,
  outcome text NOT NULL,
  -- It had asked a model.
  is_judge boolean NOT NULL,
  -- The verdict is its word.
  is_deciding boolean NOT NULL,
  -- When and how a person allowed the call all the same.
  overturned_at timestamptz,
  overturned_by text,
  PRIMARY KEY (workspace_id, occurred_at, dispatch_id, place)
);
CREATE INDEX hook_outcome_of_rule ON hook_outcome (workspace_id, policy, hook, occurred_at, dispatch_id, place);
-- What a final decision looks its gates up by. The beginning of the id is enough to find by; all of it is compared.
CREATE INDEX hook_outcome_of_call ON hook_outcome (workspace_id, session_id, (tool_use_id::name))
  WHERE tool_use_id IS NOT NULL AND outcome IN ('denied', 'asked', 'allowed');
CREATE INDEX hook_outcome_overturned ON hook_outcome (workspace_id, occurred_at) WHERE overturned_at IS NOT NULL;
SELECT quarterdeck_wall('hook_outcome');

-- When the counting of hooks began: one row.
CREATE TABLE hook_counting (
  began_at timestamptz NOT NULL
);
INSERT INTO hook_counting VALUES (now());

-- Saved views ---------------------------------------------------------------------------------------------------------

-- A list as somebody asked for it: the part of its address after the question mark, under a name. Its owner's, or everybody's.
CREATE TABLE saved_view (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  page text NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  is_shared boolean NOT NULL,
  owner_id text NOT NULL,
  owner_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX saved_view_shared_name ON saved_view (workspace_id, page, name) WHERE is_shared;
CREATE UNIQUE INDEX saved_view_own_name ON saved_view (workspace_id, owner_id, page, name) WHERE NOT is_shared;
SELECT quarterdeck_wall('saved_view');

-- Compactions ---------------------------------------------------------------------------------------------------------

-- A session that has compactions, and how much of it the records below have seen (docs/adr/0022-compactions-joined-anew.md).
-- The recorder raises `marks` with every compaction event; `session.events` counts the rest.
CREATE TABLE compaction_session (
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  session_id text NOT NULL,
  marks bigint NOT NULL,
  seen_marks bigint NOT NULL DEFAULT 0,
  seen_events bigint NOT NULL DEFAULT 0,
  -- Nothing more is expected: looked at rarely.
  is_settled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, agent_id, session_id)
);
CREATE INDEX compaction_session_open ON compaction_session (workspace_id, agent_id, session_id)
  WHERE NOT is_settled OR marks <> seen_marks;
SELECT quarterdeck_wall('compaction_session');

-- An attempt joined with what came before and after it. Keyed as its first event in `compaction`.
CREATE TABLE compaction_record (
  workspace_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  reason text NOT NULL,
  -- applied, vetoed, open
  state text NOT NULL,
  -- Of the last call before it, else of the next; '' when there is none.
  model_id text NOT NULL,
  tokens_before bigint,
  tokens_after bigint,
  -- Why tokens_after is null; '' when it is not.
  after_missing text NOT NULL,
  context_limit bigint,
  duration_ms bigint,
  is_steered boolean NOT NULL,
  is_replaced boolean NOT NULL,
  hooks_run integer NOT NULL,
  hooks_failed integer NOT NULL,
  cost_nano bigint,
  -- told, unpriced, no_call, not_told
  cost_state text NOT NULL,
  -- How many secrets its summary held, null without a summary; and by rule as in `compaction`.
  secrets integer,
  secret_rules text NOT NULL,
  -- full, cut, ended, open, none
  next_turns text NOT NULL,
  before_turns integer NOT NULL,
  before_calls integer NOT NULL,
  before_loops integer NOT NULL,
  before_finished integer NOT NULL,
  before_failed integer NOT NULL,
  before_errors integer NOT NULL,
  before_prompts integer NOT NULL,
  before_repeats integer NOT NULL,
  before_reads integer NOT NULL,
  before_rereads integer NOT NULL,
  after_turns integer NOT NULL,
  after_calls integer NOT NULL,
  after_loops integer NOT NULL,
  after_finished integer NOT NULL,
  after_failed integer NOT NULL,
  after_errors integer NOT NULL,
  after_prompts integer NOT NULL,
  after_repeats integer NOT NULL,
  after_reads integer NOT NULL,
  after_rereads integer NOT NULL,
  -- Null: too few turns to say.
  is_troubled boolean,
  -- Prompts, files, commands and open errors known before the attempt, and those that its summary lost.
  facts_known integer CHECK (facts_known >= 0),
  facts_lost integer CHECK (facts_lost BETWEEN 0 AND facts_known),
  -- Events before the attempt when they were counted: with more of them they are counted anew.
  facts_events integer CHECK (facts_events >= 0),
  -- Digest of the summary and the events before the attempt, which the counts of facts were made of.
  facts_source text CHECK (length(facts_source) <= 64),
  PRIMARY KEY (workspace_id, occurred_at, dispatch_id)
);
CREATE INDEX compaction_record_of_session ON compaction_record (workspace_id, session_id, occurred_at);
SELECT quarterdeck_wall('compaction_record');

-- Sessions ------------------------------------------------------------------------------------------------------------

-- What the events of one session imply and what of it never came (server/sessions/gaps.ts; docs/adr/0023-what-was-not-seen.md).
-- A function of the rows of `dispatch` alone: written anew whenever the session has other events than were read.
CREATE TABLE session_seen (
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  session_id text NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  -- `session.events` when the rows were read.
  events bigint NOT NULL,
  checked_at timestamptz NOT NULL,
  -- Things begun and not over, in a session that was heard a moment ago: no gaps yet.
  under_way integer NOT NULL,
  is_cut boolean NOT NULL,
  turns integer NOT NULL,
  turn_starts integer NOT NULL,
  turn_ends integer NOT NULL,
  turns_without_end integer NOT NULL,
  turns_without_start integer NOT NULL,
  calls integer NOT NULL,
  answers integer NOT NULL,
  calls_without_answer integer NOT NULL,
  tool_calls integer NOT NULL,
  tool_decisions integer NOT NULL,
  tool_results integer NOT NULL,
  tools_without_decision integer NOT NULL,
  tools_without_result integer NOT NULL,
  iterations_skipped integer NOT NULL,
  PRIMARY KEY (workspace_id, agent_id, session_id)
) WITH (fillfactor = 80);
CREATE INDEX session_seen_by_last ON session_seen (workspace_id, last_at);
SELECT quarterdeck_wall('session_seen');

-- How old reported events were when they came, per agent and hour of coming. A negative delay is a clock that runs ahead.
CREATE TABLE report_hour (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  reports bigint NOT NULL,
  delay_min_ms bigint NOT NULL,
  delay_max_ms bigint NOT NULL,
  delay_sum_ms bigint NOT NULL,
  PRIMARY KEY (workspace_id, bucket, agent_id)
) WITH (fillfactor = 70);
SELECT quarterdeck_wall('report_hour');

-- Load ----------------------------------------------------------------------------------------------------------------

-- What was turned away because there was too much to do, by class and stretch of time; written when it is over.
CREATE TABLE load_shed (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  -- The machine that turned it away.
  node text NOT NULL,
  class text NOT NULL CHECK (class IN ('gate', 'dispatch', 'report', 'console')),
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  requests bigint NOT NULL CHECK (requests > 0),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX load_shed_by_time ON load_shed (workspace_id, to_at);
SELECT quarterdeck_wall('load_shed');

-- Webhooks ------------------------------------------------------------------------------------------------------------

-- Addresses that are told of what happens here. The secret signs what is sent; it is sealed, and its key is not in the database.
CREATE TABLE webhook (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  url text NOT NULL,
  kinds text[] NOT NULL,
  is_enabled boolean NOT NULL,
  secret bytea NOT NULL,
  secret_set_at timestamptz NOT NULL,
  -- Signs beside the present one until then, so that a receiver can change over.
  former_secret bytea,
  former_until timestamptz,
  -- Up to which minute it was told of denied calls; null while nobody asked.
  denials_told_to timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  shape text NOT NULL DEFAULT 'json' CHECK (shape IN ('json', 'slack', 'teams')),
  PRIMARY KEY (workspace_id, id)
);
SELECT quarterdeck_wall('webhook');

-- Written in the transaction of what it tells of. `dead`: every attempt failed, and a person has to look.
CREATE TABLE webhook_delivery (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  kind text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  body text NOT NULL,
  state text NOT NULL DEFAULT 'waiting',
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT now(),
  attempted_at timestamptz,
  -- The answer's status, or why there was none; never a word of the answer itself.
  status integer,
  error text,
  -- Equal notices have the same; null for what is sent as it is.
  group_key text CHECK (length(group_key) <= 64),
  -- When a message was made of gathered notices: so many a minute.
  released_at timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhook ON DELETE CASCADE,
  -- `held`: a notice that is gathered with others first.
  CONSTRAINT webhook_delivery_state_check
    CHECK (state IN ('held', 'waiting', 'delivered', 'dead', 'discarded') AND (state <> 'held' OR group_key IS NOT NULL))
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (workspace_id, webhook_id, next_at) WHERE state = 'waiting';
CREATE INDEX webhook_delivery_newest ON webhook_delivery (workspace_id, at DESC, id DESC);
CREATE INDEX webhook_delivery_by_state ON webhook_delivery (workspace_id, state, at DESC, id DESC);
CREATE INDEX webhook_delivery_of_webhook ON webhook_delivery (workspace_id, webhook_id, at DESC, id DESC);
CREATE INDEX webhook_delivery_held ON webhook_delivery (workspace_id, webhook_id, group_key) WHERE state = 'held';
CREATE INDEX webhook_delivery_released ON webhook_delivery (workspace_id, webhook_id, released_at) WHERE released_at IS NOT NULL;
SELECT quarterdeck_wall('webhook_delivery');

-- Alerts --------------------------------------------------------------------------------------------------------------

-- Conditions on a measure, looked at every minute by whichever node comes first, and how each of them stands.
CREATE TABLE alert_rule (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL,
  measure text NOT NULL,
  agent_id uuid,
  group_id uuid,
  model_id text,
  window_minutes integer NOT NULL,
  comparison text NOT NULL CHECK (comparison IN ('above', 'below', 'rises_by', 'falls_by')),
  -- In the measure's unit, shares and changes in thousandths of a percent.
  threshold bigint NOT NULL,
  for_minutes integer NOT NULL,
  severity text NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
  emails text[] NOT NULL,
  is_enabled boolean NOT NULL,
  snoozed_until timestamptz,
  state text NOT NULL DEFAULT 'no_data' CHECK (state IN ('ok', 'pending', 'firing', 'no_data')),
  state_since timestamptz NOT NULL DEFAULT now(),
  -- Somebody was told that it fires, and not yet that it stopped.
  is_told boolean NOT NULL DEFAULT false,
  value bigint,
  coverage double precision,
  -- The minute it was last looked at for; what claims it.
  evaluated_at timestamptz,
  fault text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name)
);
CREATE INDEX alert_rule_due ON alert_rule (evaluated_at NULLS FIRST) WHERE is_enabled;
SELECT quarterdeck_wall('alert_rule');

-- Every change of a rule's state. A letter that is to be sent waits here, in the transaction of the change.
CREATE TABLE alert_event (
  workspace_id uuid NOT NULL,
  rule_id uuid NOT NULL,
  at timestamptz NOT NULL,
  id uuid NOT NULL,
  state text NOT NULL,
  value bigint,
  says text NOT NULL,
  is_snoozed boolean NOT NULL,
  mail_to text[] NOT NULL,
  mail_attempts integer NOT NULL DEFAULT 0,
  mail_next_at timestamptz,
  mail_error text,
  -- Events that are in no chain wait here until notices are made of them.
  awaits_notice boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, rule_id, at, id),
  FOREIGN KEY (workspace_id, rule_id) REFERENCES alert_rule ON DELETE CASCADE
);
CREATE INDEX alert_event_newest ON alert_event (workspace_id, at DESC, id DESC);
CREATE INDEX alert_event_letters ON alert_event (mail_next_at) WHERE mail_next_at IS NOT NULL;
CREATE INDEX alert_event_awaiting ON alert_event (workspace_id, at) WHERE awaits_notice;
SELECT quarterdeck_wall('alert_event');

-- Changes of what binds agents ----------------------------------------------------------------------------------------

-- A change of what binds agents, where a policy asks for four eyes: asked for, decided by a second person, or made in an emergency.
CREATE TABLE binding_change (
  workspace_id uuid NOT NULL REFERENCES workspace (id),
  id uuid NOT NULL,
  kind text NOT NULL,
  -- The exact input of the change, as the server serialises it.
  input text NOT NULL,
  policy_ids uuid[] NOT NULL,
  summary text NOT NULL,
  note text NOT NULL,
  -- Of what these policies bound when it was asked for.
  base_sha256 text NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'approved', 'declined', 'withdrawn', 'applied', 'emergency')),
  requested_by text NOT NULL,
  requested_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_by text,
  decided_name text,
  decided_at timestamptz,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX binding_change_newest ON binding_change (workspace_id, created_at DESC);
SELECT quarterdeck_wall('binding_change');

-- Password links ------------------------------------------------------------------------------------------------------

-- A link by which a member sets a new password, made by an admin. It goes with the membership.
CREATE TABLE password_link (
  workspace_id uuid NOT NULL,
  token_sha256 bytea PRIMARY KEY,
  person_id uuid NOT NULL,
  maker_kind text NOT NULL CHECK (maker_kind IN ('person', 'script', 'service')),
  maker_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  FOREIGN KEY (workspace_id, person_id) REFERENCES membership ON DELETE CASCADE
);
CREATE INDEX password_link_of_person ON password_link (person_id);
SELECT quarterdeck_wall('password_link');

-- Signed policies and local executors ---------------------------------------------------------------------------------

-- Raised by every change of what is in force in a workspace (server/policies/sequence.ts). A signed policy carries it, so that
-- an executor which has seen a newer one refuses an older one. At least the time of the change in milliseconds, so that it
-- also rises across a restore.
CREATE TABLE policy_sequence (
  workspace_id uuid PRIMARY KEY REFERENCES workspace (id),
  value bigint NOT NULL
);
SELECT quarterdeck_wall('policy_sequence');

-- What each machine of an agent says of the events it could not report because the console refused them.
CREATE TABLE executor_refusal (
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  -- Of the machine's own making.
  machine text NOT NULL,
  kept integer NOT NULL,
  dropped integer NOT NULL,
  last_code text NOT NULL,
  reported_at timestamptz(6) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, agent_id, machine),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE
);
SELECT quarterdeck_wall('executor_refusal');

-- Uptime --------------------------------------------------------------------------------------------------------------

-- When a process of this installation could record: one row a process, moved on while it runs. What lies between the rows is
-- time in which nobody recorded. It belongs to no workspace.
CREATE TABLE uptime (
  id uuid PRIMARY KEY,
  started_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL
);
CREATE INDEX uptime_by_end ON uptime (last_at);

-- The chain -----------------------------------------------------------------------------------------------------------

-- `version` is the one in the entry's body (server/audit/entries.ts), `leaves` one leaf for every row in the order of `place`.
-- Times have the precision that is hashed: no other value passes for the same.
CREATE TABLE chain_batch (
  workspace_id uuid NOT NULL,
  seq bigint NOT NULL,
  recorded_at timestamptz NOT NULL,
  batch uuid NOT NULL,
  count integer NOT NULL,
  earliest timestamptz(3) NOT NULL,
  latest timestamptz(3) NOT NULL,
  leaves text NOT NULL,
  version smallint NOT NULL,
  hash bytea NOT NULL,
  chain_version smallint NOT NULL,
  -- The rows of a batch, in the order of `place`: found by their key, wherever their time put them.
  ids uuid[],
  instants timestamptz(3)[],
  -- The number comes before the month, so that this index alone finds entries by number and lists them in order.
  PRIMARY KEY (workspace_id, seq, recorded_at)
) PARTITION BY RANGE (recorded_at);
-- Hashes do not compress; trying costs more than the row.
ALTER TABLE chain_batch ALTER COLUMN leaves SET STORAGE EXTERNAL;
-- A dispatch leads to its batch: rows that no batch names are found a window of time after the other.
CREATE INDEX chain_batch_by_id ON chain_batch (workspace_id, batch);
SELECT quarterdeck_wall('chain_batch');

-- Makes the month of `chain_batch` that begins at `first` when it is missing. Safe when two nodes race for it. It is attached and
-- not created in place, so that it waits for nobody who reads the chain, and recording does not wait behind it.
CREATE FUNCTION quarterdeck_add_chain_month(first date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  month text := 'chain_batch_' || to_char(first, 'YYYY_MM');
BEGIN
  PERFORM pg_advisory_xact_lock(7202);
  IF to_regclass(month) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE chain_batch INCLUDING ALL)', month);
  PERFORM quarterdeck_wall(month::regclass);
  EXECUTE format('ALTER TABLE chain_batch ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', month,
    to_char(first, 'YYYY-MM-01') || 'Z', to_char(first + interval '1 month', 'YYYY-MM-01') || 'Z');
END $$;
REVOKE EXECUTE ON FUNCTION quarterdeck_add_chain_month FROM PUBLIC;

-- Every entry of a chain, wherever it is stored; the body of a batch is put together as it was hashed. Whoever asks is held to
-- their own rights and workspace.
CREATE VIEW chain_entry WITH (security_invoker = true) AS
  SELECT workspace_id, seq, at, kind, body, hash, chain_version, actor_kind, actor_id, actor_name, ip, user_agent, target, changes
  FROM audit_entry
  UNION ALL
  SELECT workspace_id, seq, recorded_at, 'dispatches_recorded',
    '{"batch":"' || batch || '","count":' || count
      || ',"earliest":"' || to_char(earliest AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      || '","kind":"dispatches_recorded","latest":"' || to_char(latest AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      || '","leaves":"' || leaves || '","version":' || version || '}',
    hash, chain_version, NULL, NULL, NULL, NULL, NULL, NULL, NULL
  FROM chain_batch;

-- Verification --------------------------------------------------------------------------------------------------------

CREATE TABLE verification_run (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_by text NOT NULL,
  from_beginning boolean NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  -- The entries that it verifies; those before `from_seq` an earlier run did. Null until it is begun.
  from_seq bigint,
  to_seq bigint,
  -- The last entry of the last range that is done, and the UTC day that it is about.
  position bigint NOT NULL DEFAULT 0,
  day text,
  entries bigint NOT NULL DEFAULT 0,
  dispatches bigint NOT NULL DEFAULT 0,
  findings bigint NOT NULL DEFAULT 0,
  -- Everything that the next range needs (server/record/verification/verification-step.ts); null before the first and after the last.
  progress jsonb,
  -- The result (server/audit/verify.ts), its findings bounded.
  report jsonb,
  failure text,
  -- Ranges that failed one after the other.
  failures integer NOT NULL DEFAULT 0,
  -- The process that works on it, and until when nobody else may.
  lease uuid,
  lease_until timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX verification_run_newest ON verification_run (workspace_id, created_at DESC);
-- One at a time in a workspace; what is to be done is found by it too.
CREATE UNIQUE INDEX verification_run_under_way ON verification_run (workspace_id) WHERE state IN ('waiting', 'running');
SELECT quarterdeck_wall('verification_run');

-- Dispatches without content that a run has seen, and no entry up to its position explains.
CREATE TABLE verification_blanked (
  workspace_id uuid NOT NULL,
  run_id uuid NOT NULL,
  dispatch_id uuid NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (workspace_id, run_id, dispatch_id),
  FOREIGN KEY (workspace_id, run_id) REFERENCES verification_run ON DELETE CASCADE
);
SELECT quarterdeck_wall('verification_blanked');

-- The same for batches that are entries of `audit_entry`, whose ids are in the text. It is a hint: whoever follows it reads the
-- entry.
CREATE TABLE audit_entry_batch (
  workspace_id uuid NOT NULL,
  batch uuid NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (workspace_id, batch)
);
SELECT quarterdeck_wall('audit_entry_batch');

CREATE FUNCTION quarterdeck_note_batch() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  named text := substring(NEW.body FROM '"batch":"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"');
BEGIN
  IF named IS NOT NULL THEN
    INSERT INTO audit_entry_batch (workspace_id, batch, seq) VALUES (NEW.workspace_id, named::uuid, NEW.seq)
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER note_batch AFTER INSERT ON audit_entry FOR EACH ROW WHEN (NEW.kind = 'dispatches_recorded')
  EXECUTE FUNCTION quarterdeck_note_batch();

-- Erasure and months --------------------------------------------------------------------------------------------------

-- `session_id` and `agent_name` say whose content goes; both are forgotten when the request is withdrawn. `alias` is what a name
-- becomes. `position` is how far the walk over the tables has come (), null before it begins and
-- after it ended; `followed_seq` is the last entry of the chain whose dispatches were looked at since.
CREATE TABLE erasure_request (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  session_id text,
  agent_name text,
  alias text NOT NULL,
  reason text NOT NULL,
  requested_by text NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'standing', 'withdrawn')),
  position jsonb,
  followed_seq bigint NOT NULL,
  erased bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  copies bigint NOT NULL DEFAULT 0,
  finished_at timestamptz,
  withdrawn_at timestamptz,
  withdrawn_by text,
  fault text,
  fault_at timestamptz,
  -- The id of the person who asked, for the entries that an erasure writes later; null where a script did.
  requested_by_id text,
  PRIMARY KEY (workspace_id, id),
  CHECK ((state = 'withdrawn') = (session_id IS NULL AND agent_name IS NULL))
);
CREATE INDEX erasure_request_newest ON erasure_request (workspace_id, requested_at DESC);
SELECT quarterdeck_wall('erasure_request');

-- A rule of retention that failed and is tried again; the row goes with the next success.
CREATE TABLE retention_fault (
  workspace_id uuid NOT NULL REFERENCES workspace,
  rule text NOT NULL,
  says text NOT NULL,
  since timestamptz NOT NULL,
  failed_at timestamptz NOT NULL,
  failures integer NOT NULL DEFAULT 1,
  PRIMARY KEY (workspace_id, rule)
);
SELECT quarterdeck_wall('retention_fault');

-- The place of an agent's name in a stored one, which may be `enrolled / reported`.
CREATE FUNCTION quarterdeck_is_named(stored text, name text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT stored = name OR starts_with(stored, name || ' / ') OR right(stored, length(name) + 3) = ' / ' || name
$$;

CREATE FUNCTION quarterdeck_renamed(stored text, name text, alias text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN stored = name THEN alias
    WHEN right(one, length(name) + 3) = ' / ' || name THEN left(one, length(one) - length(name)) || alias ELSE one END
  FROM (SELECT CASE WHEN starts_with(stored, name || ' / ') THEN alias || substr(stored, length(name) + 1) ELSE stored END) AS first (one)
$$;

-- A month of `dispatch` that is about to be dropped: the row goes when anybody writes to the month, and then it is counted anew.
CREATE TABLE closing_month (
  name text PRIMARY KEY,
  closed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE FUNCTION quarterdeck_month_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM closing_month WHERE name = TG_TABLE_NAME;
  RETURN NULL;
END $$;

CREATE FUNCTION quarterdeck_check_month(month regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('quarterdeck.workspace', true) IS DISTINCT FROM '*' THEN
    RAISE EXCEPTION 'a month belongs to every workspace' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = month AND inhparent = 'dispatch'::regclass) THEN
    RAISE EXCEPTION '% is no month of dispatch', month;
  END IF;
END $$;

-- From here on whoever adds a row to the month, or takes one away, is noticed. Readers and writers of other months go on.
CREATE FUNCTION quarterdeck_close_month(month regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  month_name text := (SELECT relname FROM pg_class WHERE oid = month);
BEGIN
  PERFORM quarterdeck_check_month(month);
  EXECUTE format('CREATE OR REPLACE TRIGGER month_written AFTER INSERT OR DELETE ON %s
    FOR EACH ROW EXECUTE FUNCTION quarterdeck_month_written()', month);
  INSERT INTO closing_month (name) VALUES (month_name) ON CONFLICT (name) DO UPDATE SET closed_at = clock_timestamp();
END $$;

-- Takes the locks that dropping needs, for a second at most; false when the month was written to since it was closed.
CREATE FUNCTION quarterdeck_lock_month(month regclass) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
BEGIN
  PERFORM quarterdeck_check_month(month);
  PERFORM pg_advisory_xact_lock(7202);
  LOCK TABLE ONLY dispatch IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', month);
  RETURN EXISTS (SELECT FROM closing_month WHERE name = (SELECT relname FROM pg_class WHERE oid = month));
END $$;

CREATE FUNCTION quarterdeck_drop_month(month regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  month_name text := (SELECT relname FROM pg_class WHERE oid = month);
BEGIN
  PERFORM quarterdeck_check_month(month);
  DELETE FROM closing_month WHERE name = month_name;
  IF NOT FOUND THEN RAISE EXCEPTION '% is not closed', month; END IF;
  EXECUTE format('DROP TABLE %s', month);
END $$;
REVOKE EXECUTE ON FUNCTION quarterdeck_close_month, quarterdeck_lock_month, quarterdeck_drop_month FROM PUBLIC;

-- Projections ---------------------------------------------------------------------------------------------------------

-- The last comparison of a closed UTC day's figures with its log (server/projections; docs/adr/0045-figures-are-computed-anew.md).
CREATE TABLE projection_check (
  workspace_id uuid NOT NULL,
  day date NOT NULL,
  checked_at timestamptz NOT NULL,
  -- gone: the log was dropped by retention; older: its rows are of an older rule (projection_fold).
  state text NOT NULL,
  dispatches bigint NOT NULL,
  rows_compared bigint NOT NULL,
  rows_differing bigint NOT NULL,
  rows_older bigint NOT NULL,
  -- The first of each table, as JSON (server/projections/schema.ts).
  differences jsonb NOT NULL,
  PRIMARY KEY (workspace_id, day),
  CONSTRAINT projection_check_state_check
    CHECK (state IN ('equal', 'different', 'gone', 'older', 'sealed'))
);
SELECT quarterdeck_wall('projection_check');

-- Names the rows of a sealed table by short digests: 16 bytes each, of the key and of the whole row, in the order of the digest that
-- the chain entry `seq` has. A help to say which row differs; the entry alone says whether one does.
CREATE TABLE projection_seal (
  workspace_id uuid NOT NULL,
  day date NOT NULL,
  table_name text NOT NULL,
  seq bigint NOT NULL,
  row_digests bytea NOT NULL,
  PRIMARY KEY (workspace_id, day, table_name)
);
ALTER TABLE projection_seal ALTER COLUMN row_digests SET STORAGE EXTERNAL;
SELECT quarterdeck_wall('projection_seal');

-- Since when a derived table's rows are made by this version of its rule; a first version has no row and is as old as the table.
CREATE TABLE projection_fold (
  table_name text NOT NULL,
  version integer NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (table_name, version)
);

-- How far the figures of a workspace are: every entry of the chain up to `seq` is in them. Its row is locked by whoever moves
-- figures, and never by who records.
CREATE TABLE projection_cursor (
  workspace_id uuid PRIMARY KEY,
  seq bigint NOT NULL DEFAULT 0,
  projected_at timestamptz NOT NULL DEFAULT now()
);
SELECT quarterdeck_wall('projection_cursor');

-- Records that figures could not take: a sum that is beyond its column, for one. They are in the log, and in no figure.
CREATE TABLE projection_failure (
  workspace_id uuid NOT NULL,
  seq bigint NOT NULL,
  dispatch_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  failed_at timestamptz NOT NULL DEFAULT now(),
  trouble text NOT NULL,
  PRIMARY KEY (workspace_id, seq, dispatch_id)
);
SELECT quarterdeck_wall('projection_failure');

-- Time zones ----------------------------------------------------------------------------------------------------------

-- The time zone in which a workspace counts its days and months, as a history (docs/adr/0055-days-in-the-workspaces-time-zone.md).
CREATE TABLE workspace_time_zone (
  workspace_id uuid NOT NULL REFERENCES workspace,
  -- The first day that begins at midnight in the zone. Days before the first row begin at midnight UTC.
  from_day date NOT NULL,
  time_zone text NOT NULL,
  set_at timestamptz NOT NULL DEFAULT now(),
  set_by text NOT NULL,
  PRIMARY KEY (workspace_id, from_day)
);
SELECT quarterdeck_wall('workspace_time_zone');

-- The first instant of a day in a zone. PostgreSQL takes the later of two midnights where clocks go back over one, and the instant at
-- which clocks go forward where they skip it; here it is the earlier of two.
CREATE FUNCTION quarterdeck_midnight(time_zone text, day date) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN early < late AND early AT TIME ZONE time_zone = day::timestamp THEN early ELSE late END
  FROM (SELECT day::timestamp AT TIME ZONE time_zone AS late, (day::timestamp - (past AT TIME ZONE time_zone - past AT TIME ZONE 'UTC'))
      AT TIME ZONE 'UTC' AS early
    FROM (SELECT (day - 1)::timestamp AT TIME ZONE 'UTC' AS past) AS offset_before) AS midnights
$$;

-- The zone at whose midnight a day of the workspace begins.
CREATE FUNCTION quarterdeck_zone_on(workspace uuid, day date) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce((SELECT time_zone FROM workspace_time_zone
    WHERE workspace_id = workspace AND from_day <= day ORDER BY from_day DESC LIMIT 1), 'UTC')
$$;

-- The first instant of a day of the workspace; the day before ends then, whichever zone it began in.
CREATE FUNCTION quarterdeck_day_start(workspace uuid, day date) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT quarterdeck_midnight(quarterdeck_zone_on(workspace, day), day)
$$;

-- The day of the workspace that holds an instant. No zone is further than 14 hours from UTC, so that it is one of three.
CREATE FUNCTION quarterdeck_day_of(workspace uuid, at timestamptz) RETURNS date LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  utc_day date := (at AT TIME ZONE 'UTC')::date;
BEGIN
  IF NOT EXISTS (SELECT FROM workspace_time_zone WHERE workspace_id = workspace) THEN RETURN utc_day; END IF;
  IF quarterdeck_day_start(workspace, utc_day + 1) <= at THEN RETURN utc_day + 1; END IF;
  IF quarterdeck_day_start(workspace, utc_day) <= at THEN RETURN utc_day; END IF;
  RETURN utc_day - 1;
END $$;

-- A day that has begun keeps its zone: what was counted in it would mean something else.
CREATE FUNCTION quarterdeck_begun_zone_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' OR quarterdeck_midnight(OLD.time_zone, OLD.from_day) <= clock_timestamp() THEN
    RAISE EXCEPTION 'the zone of a day that has begun stands' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER begun_zone_stands BEFORE UPDATE OR DELETE ON workspace_time_zone
  FOR EACH ROW EXECUTE FUNCTION quarterdeck_begun_zone_stands();

-- Halts ---------------------------------------------------------------------------------------------------------------

CREATE TABLE halt (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  scope text NOT NULL CHECK (scope IN ('workspace', 'group', 'agent', 'session')),
  group_id uuid,
  agent_id uuid,
  session_id text CHECK (length(session_id) BETWEEN 1 AND 512),
  -- The name of the group or the agent when it was halted; the session's id.
  about text NOT NULL CHECK (length(about) <= 600),
  -- The agent stays halted until somebody has reviewed it.
  is_quarantine boolean NOT NULL DEFAULT false CHECK (NOT is_quarantine OR scope = 'agent'),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  halted_at timestamptz NOT NULL DEFAULT now(),
  halted_by text NOT NULL,
  resumed_at timestamptz,
  resumed_by text,
  resume_reason text CHECK (length(resume_reason) BETWEEN 1 AND 500),
  -- True of a halt that a runaway rule made.
  by_rule boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, id),
  CHECK ((group_id IS NOT NULL) = (scope = 'group')),
  CHECK ((agent_id IS NOT NULL) = (scope IN ('agent', 'session'))),
  CHECK ((session_id IS NOT NULL) = (scope = 'session')),
  CHECK ((resumed_at IS NULL) = (resumed_by IS NULL) AND (resumed_at IS NULL) = (resume_reason IS NULL))
);
-- The same is halted once at a time; gates and pages read by it those in force.
CREATE UNIQUE INDEX halt_in_force ON halt (workspace_id, scope, coalesce(group_id, agent_id, workspace_id), coalesce(session_id, ''))
  WHERE resumed_at IS NULL;
CREATE INDEX halt_by_time ON halt (workspace_id, halted_at DESC, id);
SELECT quarterdeck_wall('halt');

-- Names in the record -------------------------------------------------------------------------------------------------

-- One row per entry and person. The entry holds the sha256 of the salt and the RFC 8785 text of `names`; a row that is gone was erased.
-- `person` is the id of a person, or of an invitation that nobody had accepted.
CREATE TABLE audit_name (
  workspace_id uuid NOT NULL REFERENCES workspace,
  seq bigint NOT NULL,
  person text NOT NULL,
  salt bytea NOT NULL CHECK (octet_length(salt) >= 16),
  names jsonb NOT NULL,
  PRIMARY KEY (workspace_id, seq, person)
);
CREATE INDEX audit_name_of_person ON audit_name (workspace_id, person);
SELECT quarterdeck_wall('audit_name');

-- Approvals -----------------------------------------------------------------------------------------------------------

-- A call that somebody is asked about. `number` is that of its entry in the chain: QD-<number>.
CREATE TABLE approval_request (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  number bigint NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'approved', 'denied', 'lapsed', 'withdrawn')),
  -- The agent holds its call open for the answer; otherwise it makes the same call again.
  is_waiting boolean NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  tool_name text NOT NULL,
  -- The call's id as the client gave it, or the request's own.
  call_id text NOT NULL,
  -- Of the RFC 8785 text of the input as it was sent, without what is only a comment.
  input_sha256 bytea NOT NULL CHECK (length(input_sha256) = 32),
  -- For people: masked, and cut.
  input text NOT NULL CHECK (length(input) <= 70000),
  -- Nothing of it was masked or cut.
  is_whole boolean NOT NULL,
  cwd text NOT NULL DEFAULT '' CHECK (length(cwd) <= 1000),
  reason text NOT NULL CHECK (length(reason) <= 4000),
  -- [{policy, revision, path}]: the hooks that asked.
  asked_by jsonb NOT NULL,
  risk text NOT NULL DEFAULT '' CHECK (length(risk) <= 100),
  people_needed smallint NOT NULL DEFAULT 1 CHECK (people_needed IN (1, 2)),
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Until then it may be answered.
  expires_at timestamptz NOT NULL,
  -- Renewed by the gateway that holds the call; past it the call is gone.
  lease_until timestamptz CHECK ((lease_until IS NULL) OR is_waiting),
  closed_at timestamptz,
  words text NOT NULL DEFAULT '' CHECK (length(words) <= 1000),
  edited_input text CHECK (length(edited_input) <= 70000),
  edited_sha256 bytea CHECK (length(edited_sha256) = 32),
  -- Until then an allowed call may be made.
  granted_until timestamptz CHECK ((granted_until IS NULL) = (state NOT IN ('approved', 'withdrawn'))),
  used_at timestamptz,
  -- The gates that the allowed call has passed: each of them once.
  used_gates text[] NOT NULL DEFAULT '{}',
  lease_holder uuid CONSTRAINT approval_request_check4 CHECK ((lease_holder IS NULL) OR is_waiting),
  risk_class text NOT NULL DEFAULT 'medium' CHECK (risk_class IN ('low', 'medium', 'high', 'critical')),
  -- An allowance has to be confirmed by a second press.
  needs_confirmation boolean NOT NULL DEFAULT false,
  -- [{name, people, fromSeconds}]: who is asked, and when after the question. Null: everybody who may answer.
  route jsonb,
  -- The last list of the route whose turn has been announced.
  route_step smallint NOT NULL DEFAULT 0,
  remind_at timestamptz,
  reminded_at timestamptz,
  -- A grant is claimed before its call is recorded, and spent in the transaction of the record
  -- (docs/adr/0082-a-grant-is-spent-with-its-record.md). Until then only the call named by `call_id` takes the grant. Null: no claim is under way.
  held_until timestamptz,
  -- The dispatches that were recorded with this grant.
  spent_by uuid[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, number),
  CHECK ((closed_at IS NULL) = (state = 'pending')),
  CHECK ((edited_input IS NULL) = (edited_sha256 IS NULL))
);
-- One call makes one request, however often it comes; of a call that cannot wait, whatever its id.
CREATE UNIQUE INDEX approval_request_pending ON approval_request
  (workspace_id, agent_id, input_sha256, md5(session_id), md5(tool_name), md5(CASE WHEN is_waiting THEN call_id ELSE '' END))
  WHERE state = 'pending';
CREATE INDEX approval_request_due ON approval_request (expires_at) WHERE state = 'pending';
CREATE INDEX approval_request_granted ON approval_request (workspace_id, agent_id, granted_until) WHERE state = 'approved';
CREATE INDEX approval_request_by_time ON approval_request (workspace_id, asked_at DESC, id);
CREATE INDEX approval_request_steps ON approval_request (workspace_id) WHERE state = 'pending' AND (route IS NOT NULL OR remind_at IS NOT NULL);
-- The earlier calls that a card counts, for each of up to 200 cards of a page: found by the call, and by the agent with its tool,
-- not among all requests of 30 days.
CREATE INDEX approval_request_same ON approval_request (workspace_id, input_sha256, asked_at DESC);
CREATE INDEX approval_request_of_tool ON approval_request (workspace_id, agent_id, tool_name, asked_at DESC);
SELECT quarterdeck_wall('approval_request');

CREATE TABLE approval_answer (
  workspace_id uuid NOT NULL,
  request_id uuid NOT NULL,
  person_id text NOT NULL,
  person_name text NOT NULL,
  is_allow boolean NOT NULL,
  answered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, request_id, person_id),
  FOREIGN KEY (workspace_id, request_id) REFERENCES approval_request ON DELETE CASCADE
);
SELECT quarterdeck_wall('approval_answer');

-- One lease for all calls that a gateway holds in a workspace, so that thousands of them cost one row now and then.
CREATE TABLE approval_lease (
  workspace_id uuid NOT NULL REFERENCES workspace,
  -- A gateway's process, anew whenever it let a lease end.
  holder uuid NOT NULL,
  -- Extended while calls wait; past it they are gone.
  held_until timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, holder)
);
SELECT quarterdeck_wall('approval_lease');

-- Exceptions ----------------------------------------------------------------------------------------------------------

-- Calls that named rules ask nobody about any more, until an instant that is always set.
CREATE TABLE policy_exception (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  scope text NOT NULL CHECK (scope IN ('workspace', 'group', 'agent', 'session')),
  group_id uuid,
  agent_id uuid,
  session_id text,
  -- The name of the group or agent when it was made, or the session's id; empty for the workspace.
  about text NOT NULL CHECK (length(about) <= 600),
  tool_name text NOT NULL,
  -- Either exactly this input, as grants are bound, or the words that a lone shell command begins with.
  input_sha256 bytea CHECK (length(input_sha256) = 32),
  command text[] CHECK (cardinality(command) BETWEEN 1 AND 50),
  -- The call that it was made for: masked, and cut.
  input text NOT NULL CHECK (length(input) <= 70000),
  -- [{policyId, policy, revision, path, sha256}]: the hooks, each with the sha256 of its definition.
  rules jsonb NOT NULL,
  reason text NOT NULL CHECK (length(reason) <= 500),
  -- The request that it was made from: QD-<number>.
  request_number bigint,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  made_by text NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  ended_by text,
  end_reason text CHECK (length(end_reason) <= 500),
  -- EX-<number>: that of its entry in the chain.
  number bigint,
  -- `question`: its rules do not ask. `verdict`: they neither ask nor deny.
  lifts text NOT NULL DEFAULT 'question' CHECK (lifts IN ('question', 'verdict')),
  -- The person who made it is asked to review it once it has lapsed.
  made_by_id text,
  -- When its lapse was written into the chain: once, by any node.
  lapsed_at timestamptz,
  reviewed_at timestamptz,
  reviewed_by text,
  review_words text CHECK (length(review_words) <= 500),
  PRIMARY KEY (workspace_id, id),
  CHECK ((input_sha256 IS NULL) <> (command IS NULL)),
  CHECK ((scope = 'group') = (group_id IS NOT NULL)),
  CHECK ((scope IN ('agent', 'session')) = (agent_id IS NOT NULL)),
  CHECK ((scope = 'session') = (session_id IS NOT NULL)),
  CHECK ((ended_at IS NULL) = (ended_by IS NULL) AND (ended_at IS NULL) = (end_reason IS NULL)),
  CHECK ((reviewed_at IS NULL) = (reviewed_by IS NULL) AND (reviewed_at IS NULL) = (review_words IS NULL))
);
CREATE INDEX policy_exception_by_time ON policy_exception (workspace_id, made_at DESC, id);
CREATE INDEX policy_exception_to_lapse ON policy_exception (workspace_id, expires_at) WHERE ended_at IS NULL AND lapsed_at IS NULL;
SELECT quarterdeck_wall('policy_exception');

-- Enrolment -----------------------------------------------------------------------------------------------------------

-- A secret that machines exchange for an agent and a key of their own. Only its hash is stored.
CREATE TABLE enrolment_token (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  token_sha256 bytea NOT NULL UNIQUE CHECK (length(token_sha256) = 32),
  -- The first characters, enough to tell tokens apart.
  hint text NOT NULL CHECK (length(hint) <= 16),
  -- The group that its agents come into; none when null.
  group_id uuid,
  uses integer NOT NULL DEFAULT 0 CHECK (uses >= 0),
  uses_max integer NOT NULL CHECK (uses_max BETWEEN 1 AND 1000),
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  made_by text NOT NULL,
  -- The person who made it, who made the keys of its agents too; null for a script or a service account.
  made_by_id text,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoked_by text,
  -- The tags that a token's agents get.
  tags text[] NOT NULL DEFAULT '{}' CHECK (cardinality(tags) <= 20),
  PRIMARY KEY (workspace_id, id),
  CHECK (uses <= uses_max),
  CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
);
CREATE INDEX enrolment_token_by_time ON enrolment_token (workspace_id, made_at DESC, id);
SELECT quarterdeck_wall('enrolment_token');

-- The agents that a token made, those that are still there.
CREATE TABLE enrolment_token_use (
  workspace_id uuid NOT NULL REFERENCES workspace,
  token_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, agent_id),
  FOREIGN KEY (workspace_id, token_id) REFERENCES enrolment_token (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX enrolment_token_use_of_token ON enrolment_token_use (workspace_id, token_id, used_at DESC);
SELECT quarterdeck_wall('enrolment_token_use');

-- Approver rules ------------------------------------------------------------------------------------------------------

-- Who answers which calls, and what happens meanwhile (docs/approvals.md, Rules).
CREATE TABLE approver_rules (
  workspace_id uuid PRIMARY KEY REFERENCES workspace,
  -- As server/approvals/approver-rules-schema.ts says.
  rules jsonb NOT NULL,
  set_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  set_by text NOT NULL
);
SELECT quarterdeck_wall('approver_rules');

-- Drills --------------------------------------------------------------------------------------------------------------

-- A drill that an agent's machine began: its nonce, of which only the hash is stored, what arrived under it, and its results.
CREATE TABLE agent_drill (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  agent_id uuid NOT NULL,
  mode text NOT NULL CHECK (mode IN ('liveness', 'outage')),
  nonce_sha256 bytea NOT NULL CHECK (length(nonce_sha256) = 32),
  -- The key that the nonce is bound to.
  key_fingerprint text NOT NULL CHECK (length(key_fingerprint) <= 64),
  begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  -- Dispatches that bore the nonce while it was valid, and the verdicts of the policies on them.
  dispatches integer NOT NULL DEFAULT 0 CHECK (dispatches BETWEEN 0 AND 60),
  answers jsonb NOT NULL DEFAULT '[]',
  client text CHECK (length(client) <= 40),
  client_version text CHECK (length(client_version) <= 40),
  results jsonb,
  reported_at timestamptz,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, nonce_sha256),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE,
  CHECK ((reported_at IS NULL) = (results IS NULL)),
  CHECK ((reported_at IS NULL) = (client IS NULL))
);
CREATE INDEX agent_drill_of_agent ON agent_drill (workspace_id, agent_id, begun_at DESC, id);
SELECT quarterdeck_wall('agent_drill');

-- Runaway rules -------------------------------------------------------------------------------------------------------

-- Marks that rules set on a session. A later call of the session, at any gateway, is judged by them.
CREATE TABLE session_mark (
  workspace_id uuid NOT NULL REFERENCES workspace,
  session_id text NOT NULL,
  mark text NOT NULL,
  -- The agent whose call set it first.
  agent_id uuid NOT NULL,
  set_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, session_id, mark),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX session_mark_by_time ON session_mark (set_at);
SELECT quarterdeck_wall('session_mark');

-- The tools that each agent called, a row for each client, tool and skill (server/inventory). Written by the projectors.
CREATE TABLE tool_seen (
  workspace_id uuid NOT NULL REFERENCES workspace,
  agent_id uuid NOT NULL,
  -- Empty for a client that is not known.
  client text NOT NULL CHECK (length(client) <= 40),
  -- Empty in the row that counts the calls of all names beyond the agent's limit.
  tool_name text NOT NULL,
  -- Empty for every tool that loads no skill.
  skill text NOT NULL,
  kind text NOT NULL CHECK (length(kind) <= 20),
  -- Null for a tool of no MCP server; empty where the client does not name the server.
  mcp_server text,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL CHECK (first_seen_at <= last_seen_at),
  -- The server's time, for alerts about new rows.
  added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Tool calls that a gate was asked about, each once.
  calls bigint NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (workspace_id, agent_id, client, tool_name, skill),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX tool_seen_by_time ON tool_seen (last_seen_at);
CREATE INDEX tool_seen_of_workspace ON tool_seen (workspace_id, last_seen_at DESC);
CREATE INDEX tool_seen_added ON tool_seen (workspace_id, added_at);
SELECT quarterdeck_wall('tool_seen');

-- The newest calls and outcomes of one session of an agent that a `repeat_guard` counts. Removed when it has rested for two hours.
CREATE TABLE guarded_session (
  workspace_id uuid NOT NULL REFERENCES workspace,
  agent_id uuid NOT NULL,
  -- Of the session's id: the row names nobody, and holds digests of all else.
  session_sha256 bytea NOT NULL CHECK (length(session_sha256) = 32),
  -- The oldest first: the call at its stage, the request that it came with, and when.
  calls bigint[] NOT NULL DEFAULT '{}' CHECK (cardinality(calls) <= 200),
  requests bigint[] NOT NULL DEFAULT '{}' CHECK (cardinality(requests) <= 200),
  called_at timestamptz[] NOT NULL DEFAULT '{}' CHECK (cardinality(called_at) <= 200),
  -- The outcomes of tools, in the same way.
  outcome_tools bigint[] NOT NULL DEFAULT '{}' CHECK (cardinality(outcome_tools) <= 200),
  outcome_requests bigint[] NOT NULL DEFAULT '{}' CHECK (cardinality(outcome_requests) <= 200),
  outcome_failed boolean[] NOT NULL DEFAULT '{}' CHECK (cardinality(outcome_failed) <= 200),
  outcome_at timestamptz[] NOT NULL DEFAULT '{}' CHECK (cardinality(outcome_at) <= 200),
  touched_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, agent_id, session_sha256),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX guarded_session_by_time ON guarded_session (touched_at);
SELECT quarterdeck_wall('guarded_session');

-- The tools that guards have met, each with the instant from which it counts as known to the workspace.
CREATE TABLE workspace_tool (
  workspace_id uuid NOT NULL REFERENCES workspace,
  tool_name text NOT NULL CHECK (length(tool_name) <= 300),
  first_seen_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, tool_name)
);
CREATE INDEX workspace_tool_by_time ON workspace_tool (workspace_id, first_seen_at);
SELECT quarterdeck_wall('workspace_tool');

-- The seconds since each like call of the session, and since each of the tool's failures after its last success; the newest first. Rows are
-- locked in the order of their keys, so that two gateways never wait for each other.
CREATE FUNCTION quarterdeck_guard_calls(of_workspace uuid, of_agents uuid[], of_sessions bytea[], of_calls bigint[],
  of_requests bigint[], of_tools bigint[], is_counted boolean)
RETURNS TABLE (place integer, call_ages float8[], failure_ages float8[])
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  one record;
  kept guarded_session%ROWTYPE;
BEGIN
  FOR one IN
    SELECT item.agent, item.session, item.call, item.request, item.tool, item.place
    FROM unnest(of_agents, of_sessions, of_calls, of_requests, of_tools) WITH ORDINALITY
      AS item (agent, session, call, request, tool, place)
    ORDER BY item.agent, item.session, item.place
  LOOP
    kept := NULL;
    IF is_counted THEN
      INSERT INTO guarded_session AS known (workspace_id, agent_id, session_sha256, calls, requests, called_at, touched_at)
      VALUES (of_workspace, one.agent, one.session, ARRAY[one.call], ARRAY[one.request], ARRAY[clock_timestamp()], clock_timestamp())
      ON CONFLICT (workspace_id, agent_id, session_sha256) DO UPDATE SET
        calls = CASE WHEN one.request = ANY (known.requests) THEN known.calls
          ELSE (known.calls || one.call)[greatest(1, cardinality(known.calls) - 198):] END,
        requests = CASE WHEN one.request = ANY (known.requests) THEN known.requests
          ELSE (known.requests || one.request)[greatest(1, cardinality(known.requests) - 198):] END,
        called_at = CASE WHEN one.request = ANY (known.requests) THEN known.called_at
          ELSE (known.called_at || clock_timestamp())[greatest(1, cardinality(known.called_at) - 198):] END,
        touched_at = clock_timestamp()
      RETURNING known.* INTO kept;
    ELSE
      SELECT known.* INTO kept FROM guarded_session AS known
      WHERE known.workspace_id = of_workspace AND known.agent_id = one.agent AND known.session_sha256 = one.session;
    END IF;
    place := one.place::integer;
    call_ages := ARRAY(
      SELECT extract(epoch FROM clock_timestamp() - item.at)::float8
      FROM unnest(kept.calls, kept.called_at) AS item (call, at) WHERE item.call = one.call ORDER BY item.at DESC);
    failure_ages := ARRAY(
      SELECT extract(epoch FROM clock_timestamp() - item.at)::float8
      FROM unnest(kept.outcome_tools, kept.outcome_failed, kept.outcome_at) WITH ORDINALITY AS item (tool, failed, at, place)
      WHERE item.tool = one.tool AND item.failed AND item.place > coalesce((
        SELECT max(other.place) FROM unnest(kept.outcome_tools, kept.outcome_failed) WITH ORDINALITY AS other (tool, failed, place)
        WHERE other.tool = one.tool AND NOT other.failed), 0)
      ORDER BY item.place DESC);
    RETURN NEXT;
  END LOOP;
END $$;

-- Notes how tools ended, in sessions that are counted already; of others nothing is kept.
CREATE FUNCTION quarterdeck_guard_outcomes(of_workspace uuid, of_agents uuid[], of_sessions bytea[], of_tools bigint[],
  of_requests bigint[], of_failed boolean[])
RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  one record;
BEGIN
  FOR one IN
    SELECT item.agent, item.session, item.tool, item.request, item.failed
    FROM unnest(of_agents, of_sessions, of_tools, of_requests, of_failed) WITH ORDINALITY
      AS item (agent, session, tool, request, failed, place)
    ORDER BY item.agent, item.session, item.place
  LOOP
    UPDATE guarded_session AS known SET
      outcome_tools = (known.outcome_tools || one.tool)[greatest(1, cardinality(known.outcome_tools) - 198):],
      outcome_requests = (known.outcome_requests || one.request)[greatest(1, cardinality(known.outcome_requests) - 198):],
      outcome_failed = (known.outcome_failed || one.failed)[greatest(1, cardinality(known.outcome_failed) - 198):],
      outcome_at = (known.outcome_at || clock_timestamp())[greatest(1, cardinality(known.outcome_at) - 198):],
      touched_at = clock_timestamp()
    WHERE known.workspace_id = of_workspace AND known.agent_id = one.agent AND known.session_sha256 = one.session
      AND one.request <> ALL (known.outcome_requests);
  END LOOP;
END $$;

-- Notices -------------------------------------------------------------------------------------------------------------

-- Each person's own: kinds of notices by way, quiet hours, a webhook. Without a row, what server/notices/schema.ts says.
CREATE TABLE notice_choices (
  workspace_id uuid NOT NULL,
  person_id uuid NOT NULL,
  choices jsonb NOT NULL,
  -- The last letter: the next one waits a minute.
  mailed_at timestamptz,
  PRIMARY KEY (workspace_id, person_id),
  FOREIGN KEY (workspace_id, person_id) REFERENCES membership (workspace_id, person_id) ON DELETE CASCADE
);
SELECT quarterdeck_wall('notice_choices');

-- One thing that concerns one person.
CREATE TABLE notice (
  workspace_id uuid NOT NULL,
  person_id uuid NOT NULL,
  -- Names what happened: one person gets one notice of it.
  key text NOT NULL CHECK (length(key) <= 200),
  at timestamptz NOT NULL,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  kind text NOT NULL CHECK (kind IN ('approvals', 'reviews', 'budgets', 'alerts', 'halts', 'drills', 'exceptions', 'test')),
  title text NOT NULL CHECK (length(title) <= 200),
  -- Masked, and cut.
  says text NOT NULL CHECK (length(says) <= 700),
  path text NOT NULL CHECK (length(path) <= 200),
  -- The approval request that it is about: once that is answered, nobody is sent it any more.
  request_id uuid,
  -- Sent in quiet hours too.
  is_urgent boolean NOT NULL,
  on_page boolean NOT NULL,
  in_browser boolean NOT NULL,
  read_at timestamptz,
  mail text NOT NULL DEFAULT 'none' CHECK (mail IN ('none', 'waiting', 'sent', 'failed', 'dropped')),
  mail_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  mail_attempts smallint NOT NULL DEFAULT 0,
  mail_error text CHECK (length(mail_error) <= 500),
  -- The requests that the notice is about besides `request_id`. It is over with the last of them.
  other_request_ids uuid[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (workspace_id, person_id, key),
  FOREIGN KEY (workspace_id, person_id) REFERENCES membership (workspace_id, person_id) ON DELETE CASCADE
);
CREATE INDEX notice_newest ON notice (workspace_id, person_id, at DESC, key);
CREATE INDEX notice_unread ON notice (workspace_id, person_id) WHERE on_page AND read_at IS NULL;
CREATE INDEX notice_mail ON notice (workspace_id, person_id, mail_at) WHERE mail = 'waiting';
SELECT quarterdeck_wall('notice');

-- The number of the last entry of the chain that notices were made of. A workspace that is there already begins at its head.
CREATE TABLE notice_cursor (
  workspace_id uuid PRIMARY KEY REFERENCES workspace,
  seq bigint NOT NULL
);
SELECT quarterdeck_wall('notice_cursor');

-- Alerts by team, as server/notices/routes-schema.ts says.
CREATE TABLE alert_routes (
  workspace_id uuid PRIMARY KEY REFERENCES workspace,
  routes jsonb NOT NULL,
  set_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  set_by text NOT NULL
);
SELECT quarterdeck_wall('alert_routes');

-- Local executors -----------------------------------------------------------------------------------------------------

-- What the console knows of each local executor, to say which of them have followed a halt (docs/halts.md).
CREATE TABLE local_executor (
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  -- Of the executor's own making; empty for one that states none.
  id text NOT NULL CHECK (length(id) <= 16),
  -- Its newest call that was answered: stored once a minute, and at once for the first one after a change to halts.
  heard_at timestamptz(6) NOT NULL,
  -- The newest gate of it that a halt denied; null: none yet.
  followed_at timestamptz(6),
  PRIMARY KEY (workspace_id, agent_id, id),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE
);
SELECT quarterdeck_wall('local_executor');

-- Makers of accounts --------------------------------------------------------------------------------------------------

-- The makers of accounts, kept when an account, its maker or a token is removed (docs/adr/0081-people-are-counted-not-accounts.md).
-- Triggers fill it.
CREATE TABLE account_maker (
  workspace_id uuid NOT NULL REFERENCES workspace,
  -- A person, or a service account.
  account_id text NOT NULL,
  -- The account whose link, token or reset link opens this one. Empty: no account of the workspace.
  maker_id text NOT NULL,
  -- The address of the person was proven when they left the workspace.
  was_proven boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, account_id, maker_id)
);
SELECT quarterdeck_wall('account_maker');

CREATE FUNCTION quarterdeck_note_maker() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_TABLE_NAME = 'membership' THEN
    INSERT INTO account_maker (workspace_id, account_id, maker_id)
      VALUES (NEW.workspace_id, NEW.person_id::text, coalesce(NEW.invited_by_id, '')) ON CONFLICT DO NOTHING;
  ELSIF TG_TABLE_NAME = 'service_token' THEN
    IF NEW.created_by_id IS NOT NULL THEN
      INSERT INTO account_maker (workspace_id, account_id, maker_id)
        VALUES (NEW.workspace_id, NEW.account_id::text, NEW.created_by_id) ON CONFLICT DO NOTHING;
    END IF;
  ELSIF NEW.maker_kind <> 'script' THEN
    INSERT INTO account_maker (workspace_id, account_id, maker_id)
      VALUES (NEW.workspace_id, NEW.person_id::text, NEW.maker_id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER note_maker AFTER INSERT OR UPDATE OF invited_by_id ON membership FOR EACH ROW EXECUTE FUNCTION quarterdeck_note_maker();
CREATE TRIGGER note_maker AFTER INSERT ON service_token FOR EACH ROW EXECUTE FUNCTION quarterdeck_note_maker();
CREATE TRIGGER note_maker AFTER INSERT ON password_link FOR EACH ROW EXECUTE FUNCTION quarterdeck_note_maker();

CREATE FUNCTION quarterdeck_note_proven() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE account_maker SET was_proven = coalesce((SELECT email_verified FROM person WHERE id = OLD.person_id), false)
    WHERE workspace_id = OLD.workspace_id AND account_id = OLD.person_id::text;
  RETURN NULL;
END $$;
CREATE TRIGGER note_proven AFTER DELETE ON membership FOR EACH ROW EXECUTE FUNCTION quarterdeck_note_proven();

-- Agents that left a halted group -------------------------------------------------------------------------------------

-- An agent that leaves a halted group stays halted (docs/halts.md). A trigger on the rows of memberships covers each way out of a group.
CREATE TABLE halt_kept_agent (
  workspace_id uuid NOT NULL,
  halt_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, halt_id, agent_id),
  FOREIGN KEY (workspace_id, halt_id) REFERENCES halt ON DELETE CASCADE
);
SELECT quarterdeck_wall('halt_kept_agent');

CREATE FUNCTION quarterdeck_keep_halted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO halt_kept_agent (workspace_id, halt_id, agent_id)
    SELECT workspace_id, id, OLD.agent_id FROM halt
    WHERE workspace_id = OLD.workspace_id AND scope = 'group' AND group_id = OLD.group_id AND resumed_at IS NULL
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_halted AFTER DELETE ON agent_group_member FOR EACH ROW EXECUTE FUNCTION quarterdeck_keep_halted();

-- Upgrades ------------------------------------------------------------------------------------------------------------

-- The progress of each part of an upgrade that is made while the server answers (server/database/backfills.ts). It belongs to no
-- workspace.
CREATE TABLE upgrade_step (
  name text PRIMARY KEY,
  -- Where the next part begins, in words of the step's own; null before its first and after its last.
  position jsonb,
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
