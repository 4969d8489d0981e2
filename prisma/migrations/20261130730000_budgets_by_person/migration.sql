-- Groups that the sign-on provider names for members.
CREATE TABLE sign_on_group (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name)
);
SELECT quarterdeck_wall('sign_on_group');

-- The accounts in each group, as the newest sign-in of each named them. A row stays when the person leaves the workspace, so that the agents
-- that they still own keep their limits. Erasure deletes it.
CREATE TABLE sign_on_group_member (
  workspace_id uuid NOT NULL,
  group_id uuid NOT NULL,
  -- The account.
  person_id uuid NOT NULL,
  named_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, group_id, person_id),
  FOREIGN KEY (workspace_id, group_id) REFERENCES sign_on_group (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX sign_on_group_of_person ON sign_on_group_member (workspace_id, person_id);
SELECT quarterdeck_wall('sign_on_group_member');

-- `target` of a person is the id of a principal that was not merged into another; of a group of the provider, its id.
ALTER TABLE budget DROP CONSTRAINT budget_scope_check;
ALTER TABLE budget ADD CONSTRAINT budget_scope_check
  CHECK (scope IN ('workspace', 'group', 'agent', 'model', 'session', 'person', 'sign_on_group'));

-- True if calls of a principal count in a budget of a person or of a group of the provider. An unknown person counts in neither.
CREATE FUNCTION quarterdeck_counts_for_person(workspace uuid, scope text, target text, person uuid)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE scope
    WHEN 'person' THEN EXISTS (SELECT FROM principal AS known WHERE known.workspace_id = workspace AND known.id = person
      AND coalesce(known.merged_into, known.id)::text = target)
    WHEN 'sign_on_group' THEN EXISTS (SELECT FROM principal AS known
      JOIN principal AS own ON own.workspace_id = known.workspace_id
        AND (own.id = coalesce(known.merged_into, known.id) OR own.merged_into = coalesce(known.merged_into, known.id))
      JOIN sign_on_group_member AS member ON member.workspace_id = own.workspace_id AND member.person_id = own.account_id
        AND member.group_id::text = target
      WHERE known.workspace_id = workspace AND known.id = person)
    ELSE false END
$$;

-- As the function without `people`, which nodes of the release before call.
CREATE FUNCTION quarterdeck_budget_reserve(workspace uuid, requests uuid[], agents uuid[], sessions text[], models text[],
  people uuid[], today date)
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
    FROM unnest(requests, agents, sessions, models, people) WITH ORDINALITY
      AS asked (request, agent, session, model, person, place)
    JOIN budget ON budget.workspace_id = workspace AND budget.is_hard AND CASE budget.scope
      WHEN 'agent' THEN budget.target = asked.agent::text
      WHEN 'model' THEN budget.target = asked.model
      WHEN 'group' THEN EXISTS (SELECT FROM agent_group_member member WHERE member.workspace_id = workspace
        AND member.agent_id = asked.agent AND member.group_id = budget.target::uuid)
      WHEN 'person' THEN quarterdeck_counts_for_person(workspace, budget.scope, budget.target, asked.person)
      WHEN 'sign_on_group' THEN quarterdeck_counts_for_person(workspace, budget.scope, budget.target, asked.person)
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
