-- As in the migration, of what the former release wrote: it takes an address for proven by an invitation, and names no maker.
UPDATE person SET email_verified = false WHERE email_verified
  AND created_at > (SELECT rolled_back_at FROM "_prisma_migrations" WHERE migration_name = '20261122160000_proven_addresses')
  AND NOT EXISTS (SELECT FROM person_account a WHERE a.person_id = person.id AND a.provider_id = 'sign-on');
UPDATE invitation SET maker_kind = e.actor_kind, maker_id = e.actor_id FROM audit_entry e
  WHERE e.workspace_id = invitation.workspace_id AND e.kind = 'invitation_created' AND maker_kind IS NULL
    AND e.actor_kind IN ('person', 'script', 'service') AND e.body::json->>'invitation' = invitation.id::text;
UPDATE invitation SET withdrawn_at = now()
  WHERE maker_kind IS NULL AND accepted_at IS NULL AND withdrawn_at IS NULL;
UPDATE person SET signed_in_at = greatest(signed_in_at,
  (SELECT max(created_at) FROM browser_session s WHERE s.person_id = person.id));
