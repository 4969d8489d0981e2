-- The dearest call that an account has counted: what a call reserves where that is more than its budget says.
ALTER TABLE budget_account ADD COLUMN dearest_nano bigint NOT NULL DEFAULT 0;

-- Reserves for calls of one workspace, in their order, or refuses: one row for each refusal. A call is reserved for in every
-- hard budget that it counts in or in none. All accounts are locked first and in one order, so that neither two nodes nor
-- what settles wait for each other in a circle; what is compared is what stands there under the lock.
CREATE OR REPLACE FUNCTION quarterdeck_budget_reserve(workspace uuid, requests uuid[], agents uuid[], sessions text[], models text[],
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
