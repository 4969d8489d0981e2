-- An address is proven by mail alone or by a provider. Until now an invitation proved it whose link the inviter had seen, so
-- that only those stay proven who have signed on by the provider.
UPDATE person SET email_verified = false WHERE email_verified
  AND NOT EXISTS (SELECT FROM person_account a WHERE a.person_id = person.id AND a.provider_id = 'sign-on');
UPDATE person SET email_verified = true WHERE email IS NOT NULL
  AND EXISTS (SELECT FROM person_account a WHERE a.person_id = person.id AND a.provider_id = 'sign-on');

-- When the person signed in last. Until somebody has, a start prints a link.
ALTER TABLE person ADD COLUMN signed_in_at timestamptz;
UPDATE person SET signed_in_at = greatest(
  (SELECT max(created_at) FROM browser_session s WHERE s.person_id = person.id),
  (SELECT max(used_at) FROM sign_in_link l WHERE l.person_id = person.id),
  (SELECT max(updated_at) FROM person_account a WHERE a.person_id = person.id));

-- Whoever made an invitation must still be allowed to when it is accepted.
ALTER TABLE invitation
  ADD COLUMN maker_kind text CHECK (maker_kind IN ('person', 'script', 'service')),
  ADD COLUMN maker_id text,
  -- True once it left by mail, and its link was shown to nobody.
  ADD COLUMN is_mailed_only boolean NOT NULL DEFAULT false;
UPDATE invitation SET maker_kind = e.actor_kind, maker_id = e.actor_id FROM audit_entry e
  WHERE e.workspace_id = invitation.workspace_id AND e.kind = 'invitation_created'
    AND e.actor_kind IN ('person', 'script', 'service') AND e.body::json->>'invitation' = invitation.id::text;
UPDATE invitation SET withdrawn_at = now()
  WHERE maker_kind IS NULL AND accepted_at IS NULL AND withdrawn_at IS NULL;

-- The person who made the link in a browser, for themselves; null for one made on the machine.
ALTER TABLE sign_in_link ADD COLUMN made_by uuid;

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

-- The newest half minute whose code was used: neither it nor an older one opens again.
ALTER TABLE person_second_factor ADD COLUMN last_step integer;

-- Links of admins and challenges that are under way know nothing of the above. They live ten minutes to an hour; they end now.
DELETE FROM person_verification;
-- A session ends when it was not used for a week.
UPDATE browser_session SET expires_at = least(expires_at, last_seen_at + interval '7 days');
