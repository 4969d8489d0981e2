-- The skills, plugins, slash commands and MCP servers on the machines of agents, as they report them (server/extensions).
CREATE TABLE agent_extension (
  workspace_id uuid NOT NULL REFERENCES workspace,
  agent_id uuid NOT NULL,
  -- A hash of client, kind, name, project and path, which are too long for a key.
  key bytea NOT NULL CHECK (length(key) = 32),
  client text NOT NULL CHECK (length(client) <= 40),
  kind text NOT NULL CHECK (kind IN ('skill', 'plugin', 'command', 'mcp_server')),
  name text NOT NULL,
  -- Empty for an extension of the user or the machine.
  project text NOT NULL,
  -- Below the project, or with ~ for the user's home.
  path text NOT NULL,
  version text,
  -- Null if it could not be read whole.
  digest text CHECK (digest ~ '^[0-9a-f]{64}$'),
  former_version text,
  former_digest text,
  -- The newest change of the digest; null without one.
  changed_at timestamptz,
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Set when a complete report no longer names it.
  removed_at timestamptz,
  PRIMARY KEY (workspace_id, agent_id, key),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX agent_extension_by_time ON agent_extension (last_seen_at);
CREATE INDEX agent_extension_changed ON agent_extension (workspace_id, changed_at) WHERE changed_at IS NOT NULL;
SELECT quarterdeck_wall('agent_extension');

-- The newest report of each client of an agent, and the number of its reports within a period.
CREATE TABLE extension_report (
  workspace_id uuid NOT NULL REFERENCES workspace,
  agent_id uuid NOT NULL,
  client text NOT NULL CHECK (length(client) <= 40),
  reported_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  period_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  reports integer NOT NULL DEFAULT 1,
  PRIMARY KEY (workspace_id, agent_id, client),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE
);
SELECT quarterdeck_wall('extension_report');

-- The versions that people accepted, for all agents of the workspace.
CREATE TABLE accepted_extension (
  workspace_id uuid NOT NULL REFERENCES workspace,
  kind text NOT NULL CHECK (kind IN ('skill', 'plugin', 'command', 'mcp_server')),
  name text NOT NULL,
  digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  accepted_by text NOT NULL,
  accepted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, kind, name, digest)
);
SELECT quarterdeck_wall('accepted_extension');
