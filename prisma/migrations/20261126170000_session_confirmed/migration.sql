-- When whoever a browser session is of last proved who they are (docs/adr/0072-the-gravest-acts-ask-who-you-are.md). A column that may be
-- null: a session that a former release begins has proved nothing, and is asked.
ALTER TABLE browser_session ADD COLUMN confirmed_at timestamptz;
