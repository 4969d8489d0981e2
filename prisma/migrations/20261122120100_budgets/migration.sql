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
  PRIMARY KEY (workspace_id, budget_id, period_start, subject),
  FOREIGN KEY (workspace_id, budget_id) REFERENCES budget ON DELETE CASCADE
) WITH (fillfactor = 70);
-- Which sessions are closest to the amount.
CREATE INDEX budget_account_fullest ON budget_account
  (workspace_id, budget_id, period_start, (spent_nano + assumed_nano + held_nano) DESC) WHERE subject <> '';

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
  PRIMARY KEY (workspace_id, budget_id, period_start, subject, threshold),
  FOREIGN KEY (workspace_id, budget_id) REFERENCES budget ON DELETE CASCADE
);
CREATE INDEX budget_alert_newest ON budget_alert (workspace_id, at DESC);

-- Models whose newest recorded call had no cost; kept where a budget refuses such models.
CREATE TABLE budget_unpriced_model (
  workspace_id uuid NOT NULL REFERENCES workspace,
  model_id text NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, model_id)
);

SELECT quarterdeck_wall(walled) FROM unnest(ARRAY['budget', 'budget_account', 'budget_reservation', 'budget_alert',
  'budget_unpriced_model']::regclass[]) AS walled;

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
    SELECT budget.id, budget.name, budget.amount_nano, budget.reserve_nano, account.period_start, account.subject,
      account.spent_nano + account.assumed_nano + account.held_nano AS used,
      CASE WHEN account.spent_nano + account.assumed_nano + account.held_nano + budget.reserve_nano > budget.amount_nano
        THEN 'no_room' ELSE 'unpriced' END AS why
    INTO refusal
    FROM unnest(claims) AS claim
    JOIN budget ON budget.workspace_id = workspace AND budget.id = claim.budget_id AND budget.is_hard
    JOIN budget_account account ON account.workspace_id = workspace AND account.budget_id = claim.budget_id
      AND account.period_start = claim.period_start AND account.subject = claim.subject
    WHERE claim.place = one.place
      AND (account.spent_nano + account.assumed_nano + account.held_nano + budget.reserve_nano > budget.amount_nano
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
      SELECT workspace, one.request, budget.id, claim.period_start, claim.subject, budget.reserve_nano, one.agent,
        one.session, one.model, now
      FROM unnest(claims) AS claim JOIN budget ON budget.workspace_id = workspace AND budget.id = claim.budget_id AND budget.is_hard
      WHERE claim.place = one.place;
    UPDATE budget_account account SET held_nano = account.held_nano + budget.reserve_nano
      FROM unnest(claims) AS claim JOIN budget ON budget.workspace_id = workspace AND budget.id = claim.budget_id AND budget.is_hard
      WHERE claim.place = one.place AND account.workspace_id = workspace AND account.budget_id = claim.budget_id
        AND account.period_start = claim.period_start AND account.subject = claim.subject;
  END LOOP;
END $$;
