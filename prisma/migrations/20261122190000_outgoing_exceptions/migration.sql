-- Private addresses that were asked before they had to be listed: they go on being asked for as long as the operator has not
-- said which ones may be (server/platform/outgoing). Nothing is ever added here.
CREATE TABLE outgoing_exception (
  workspace_id uuid NOT NULL REFERENCES workspace,
  purpose text NOT NULL CHECK (purpose IN ('models', 'mail')),
  -- As it was written, in small letters and without brackets.
  host text NOT NULL CHECK (char_length(host) BETWEEN 1 AND 500),
  port integer NOT NULL CHECK (port BETWEEN 1 AND 65535),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, purpose, host, port)
);
SELECT quarterdeck_wall('outgoing_exception');

DO $$ BEGIN
  PERFORM set_config('quarterdeck.workspace', '*', true);
  -- Judges on this machine: until now the default.
  INSERT INTO outgoing_exception (workspace_id, purpose, host, port)
    SELECT workspace_id, 'models', host, coalesce(port, CASE scheme WHEN 'https' THEN 443 ELSE 80 END)
    FROM (SELECT workspace_id, lower(substring(base_url FROM '^([A-Za-z]+)://')) AS scheme,
        btrim(lower(substring(base_url FROM '^[A-Za-z]+://(\[[^]/?#]+\]|[^:/?#]+)')), '[]') AS host,
        substring(base_url FROM '^[A-Za-z]+://(?:\[[^]/?#]+\]|[^:/?#]+):(\d{1,5})(?![\d])')::integer AS port
      FROM model_connection) AS connection
    WHERE host ~ '^((.+\.)?localhost|127(\.\d{1,3}){1,3}|::1|(0{1,4}:){7}0{0,3}1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$'
      AND coalesce(port, 1) BETWEEN 1 AND 65535
    ON CONFLICT DO NOTHING;
  -- The mail server, wherever it is: no rule held it. It belongs to the first workspace.
  INSERT INTO outgoing_exception (workspace_id, purpose, host, port)
    SELECT (SELECT id FROM workspace ORDER BY created_at, id LIMIT 1), 'mail', lower(value ->> 'host'),
      (value ->> 'port')::integer
    FROM installation_setting WHERE name = 'mail' AND EXISTS (SELECT FROM workspace)
      AND value ->> 'host' <> '' AND (value ->> 'port')::integer BETWEEN 1 AND 65535
    ON CONFLICT DO NOTHING;
END $$;
