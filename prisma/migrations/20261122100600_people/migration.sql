-- A person belongs to the installation, and to each workspace by a membership with a role. What was one row is two:
-- everybody who was let in before may do everything, as before.
ALTER TABLE person RENAME TO membership;
ALTER TABLE membership RENAME CONSTRAINT person_pkey TO membership_pkey;
ALTER TABLE membership RENAME COLUMN id TO person_id;

CREATE TABLE person (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  -- Lower case; absent until somebody names one.
  email text UNIQUE,
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO person (id, name, created_at)
  SELECT DISTINCT ON (person_id) person_id, name, created_at FROM membership ORDER BY person_id, created_at;

ALTER TABLE membership
  DROP COLUMN name,
  ADD COLUMN role text NOT NULL DEFAULT 'owner'
    CHECK (role IN ('viewer', 'approver', 'author', 'admin', 'auditor', 'owner')),
  ADD CONSTRAINT membership_of_person FOREIGN KEY (person_id) REFERENCES person;
ALTER TABLE membership ALTER COLUMN role DROP DEFAULT;
CREATE INDEX membership_by_person ON membership (person_id);

-- The sessions of browsers: the token's sha256 in hex. `workspace_id` is the workspace the browser looks at; whoever leaves
-- the workspace loses the sessions that look at it.
ALTER TABLE browser_session DROP CONSTRAINT browser_session_pkey;
ALTER TABLE browser_session
  ALTER COLUMN token_sha256 TYPE text USING encode(token_sha256, 'hex'),
  ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN last_seen_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN ip text,
  ADD COLUMN user_agent text,
  -- Set when what the person may do has changed: the next request gets a new token, and the old one fades.
  ADD COLUMN must_renew boolean NOT NULL DEFAULT false,
  ADD COLUMN former_sha256 text,
  ADD COLUMN former_until timestamptz,
  ADD CONSTRAINT browser_session_token UNIQUE (token_sha256);
CREATE INDEX browser_session_of_person ON browser_session (person_id);
CREATE INDEX browser_session_by_former ON browser_session (former_sha256) WHERE former_sha256 IS NOT NULL;

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
  locked_until timestamptz
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
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX invitation_by_email ON invitation (email) WHERE accepted_at IS NULL AND withdrawn_at IS NULL;

CREATE TABLE service_account (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('viewer', 'approver', 'author', 'admin', 'auditor')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name)
);

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
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, account_id) REFERENCES service_account ON DELETE CASCADE
);

ALTER TABLE agent_key
  ADD COLUMN scopes text[] NOT NULL DEFAULT '{dispatch,report,policy}',
  ADD COLUMN last_used_at timestamptz;

-- Of the whole installation: the sign-on provider, the mail server. What is secret in it is sealed apart.
CREATE TABLE installation_setting (
  name text PRIMARY KEY,
  value jsonb NOT NULL,
  sealed bytea,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text NOT NULL
);
