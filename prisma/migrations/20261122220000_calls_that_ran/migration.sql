-- The tools that ran, by call: a denial is compared with them, and a session may have a hundred thousand rows. A name, since
-- behind row-level security `left()` serves no index, and an identity from outside may be longer than an index row.
CREATE INDEX dispatch_ran ON dispatch (workspace_id, (session_id::name), (tool_use_id::name)) WHERE event = 'post_tool_use';
