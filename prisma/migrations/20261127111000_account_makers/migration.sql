-- The makers of accounts, kept when an account, its maker or a token is removed (docs/adr/0081-people-are-counted-not-accounts.md).
-- A new table, filled by triggers, so that the processes of a former release fill it too.
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

-- What is known of the accounts so far: those of now, and those that left, from the record.
INSERT INTO account_maker (workspace_id, account_id, maker_id)
  SELECT workspace_id, person_id::text, coalesce(invited_by_id, '') FROM membership
  UNION SELECT workspace_id, account_id::text, created_by_id FROM service_token WHERE created_by_id IS NOT NULL
  UNION SELECT entry.workspace_id, accepted.person, CASE invitation.maker_kind WHEN 'script' THEN '' ELSE invitation.maker_id END
    FROM audit_entry AS entry,
      LATERAL (SELECT substring(entry.body FROM '"person":"([0-9a-f-]{36})"') AS person,
        substring(entry.body FROM '"invitation":"([0-9a-f-]{36})"') AS invitation) AS accepted
      JOIN invitation ON invitation.id::text = accepted.invitation
    WHERE entry.kind = 'invitation_accepted' AND invitation.workspace_id = entry.workspace_id
      AND accepted.person IS NOT NULL AND invitation.maker_id IS NOT NULL
  UNION SELECT workspace_id, substring(body FROM '"service":"([0-9a-f-]{36})"'), actor_id FROM audit_entry
    WHERE kind = 'service_token_created' AND actor_id IS NOT NULL AND body ~ '"service":"[0-9a-f-]{36}"'
  UNION SELECT workspace_id, substring(body FROM '"person":"([0-9a-f-]{36})"'), actor_id FROM audit_entry
    WHERE kind = 'account_used' AND body ~ '"act":"reset_link_created"' AND actor_kind <> 'script' AND actor_id IS NOT NULL
      AND body ~ '"person":"[0-9a-f-]{36}"'
  ON CONFLICT DO NOTHING;
UPDATE account_maker AS one SET was_proven = true FROM person
  WHERE person.id::text = one.account_id AND person.email_verified
    AND NOT EXISTS (SELECT FROM membership AS member
      WHERE member.workspace_id = one.workspace_id AND member.person_id = person.id);

-- Keys and enrolment tokens that a service account made named no maker.
UPDATE enrolment_token AS token SET made_by_id = entry.actor_id FROM audit_entry AS entry
  WHERE token.made_by_id IS NULL AND entry.kind = 'enrolment_token_created' AND entry.actor_kind = 'service'
    AND entry.workspace_id = token.workspace_id AND substring(entry.body FROM '"token":"([0-9a-f-]{36})"') = token.id::text;
UPDATE agent_key AS key SET created_by_id = made.by_id
  FROM (SELECT entry.workspace_id, substring(entry.body FROM '"key":"([0-9a-f-]{36})"') AS key_id,
      CASE WHEN token.id IS NULL THEN entry.actor_id ELSE token.made_by_id END AS by_id
    FROM audit_entry AS entry
      LEFT JOIN enrolment_token AS token ON token.workspace_id = entry.workspace_id AND token.id::text = entry.actor_id
    WHERE entry.kind = 'agent_key_created' AND entry.actor_kind = 'service') AS made
  WHERE key.created_by_id IS NULL AND made.by_id IS NOT NULL
    AND made.workspace_id = key.workspace_id AND made.key_id = key.id::text;
